// How far the bots are prepared, for as long as they are. Over a board it is read once, and goes.
import { ROOT } from "./paths.js";

const POLL_MS = 2000;
const NOTICE_MS = 8000;
const shown = document.getElementById("preparing");
if (shown) setTimeout(refresh, POLL_MS);
if (shown?.closest(".news")) setTimeout(() => shown.remove(), NOTICE_MS);

async function refresh() {
  if (!shown.isConnected) return;
  const answer = await fetch(`${ROOT}/preparation`).catch(() => null);
  const percent = answer?.ok ? (await answer.json()).percent : undefined;
  if (percent === null) {
    shown.remove();
    return;
  }
  if (percent !== undefined) {
    shown.querySelector("span").textContent = shown.dataset.said.replace("{percent}", percent);
  }
  setTimeout(refresh, POLL_MS);
}
