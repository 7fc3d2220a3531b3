// The summary of an evening: pass it on, or print it.
import { shareOnClick } from "../lib/share_link.js";

const share = document.getElementById("share");
const print = document.getElementById("print");

if (share) shareOnClick(share, share.dataset.link);
print.hidden = false;
print.addEventListener("click", () => window.print());

/** What is folded on a screen cannot be unfolded on paper. */
const unfolded = new Set();
addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details:not([open])")) unfolded.add(each);
  for (const each of unfolded) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of unfolded) each.open = false;
  unfolded.clear();
});
