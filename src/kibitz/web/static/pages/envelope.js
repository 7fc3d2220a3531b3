// The page of an envelope: once it is open, this browser makes the draws again.
import { showVerdict } from "../lib/draws/draws_verdict.js";

const checked = document.getElementById("checked");
if (checked) showVerdict(checked.dataset.table, checked);
