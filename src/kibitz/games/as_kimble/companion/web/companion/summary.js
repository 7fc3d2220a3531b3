// The summary of an evening: pass it on, or print it.
import { shareOnClick } from "../lib/links/share_link.js";

const share = document.getElementById("share");
const print = document.getElementById("print");

if (share) shareOnClick(share, share.dataset.link);
print.hidden = false;
print.addEventListener("click", () => window.print());
