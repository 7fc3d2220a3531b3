// After a match: pass its link on, and play another one.
import { say } from "../lib/i18n.js";
import { shareOnClick } from "../lib/links/share_link.js";
import { API, ROOT } from "../lib/paths.js";
import { randomId } from "../lib/random_id.js";
import { showChances } from "./evaluation.js";

const POLL_MS = 3000;
/** A table for the next match is there soon after all have agreed. */
const FIRST_LOOKS_MS = [0, 300, 1000];
const { table, share: link } = document.getElementById("result").dataset;
const answer = document.getElementById("answer");
const again = document.getElementById("rematch");
const longer = [...document.querySelectorAll("[data-ask]")];
const share = document.getElementById("share");

if (share) shareOnClick(share, link);

const looking = document.getElementById("look");
looking?.addEventListener("click", async () => {
  looking.disabled = true;
  looking.hidden = await showChances(`${ROOT}/t/${table}/chances`, document.getElementById("looked-at"));
  looking.disabled = false;
});

if (again) {
  again.addEventListener("click", () => ask("rematch"));
  for (const each of longer) each.addEventListener("click", () => ask(each.dataset.ask));
  document.addEventListener("visibilitychange", look);
  setInterval(look, POLL_MS);
  look();
}

/** What is asked of the seats now. All may have agreed by now: then there is a table to go to. */
async function look() {
  if (document.hidden) return null;
  const answered = await fetch(`${API}/tables/${table}`).catch(() => null);
  if (!answered?.ok) return null;
  const { is_over: isOver, table: { request, next } } = await answered.json();
  if (next || !isOver) location.assign(next || `${ROOT}/t/${table}`);
  const isMine = Boolean(request) && !request.is_yours;
  for (const each of [again, ...longer]) each.disabled = isMine || Boolean(next);
  answer.textContent = isMine ? say("rematch-asked") : request?.title ?? "";
  return request;
}

/** For another match, or for more of this one. Somebody may have been quicker to ask. */
async function ask(what) {
  again.disabled = true;
  const request = await look();
  if (request && !request.is_yours) return;
  const answered = await fetch(`${API}/tables/${table}/actions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key: randomId(), actions: [request?.text === what ? "agree" : `ask ${what}`] }),
  }).catch(() => null);
  if (answered?.ok) {
    for (const wait of FIRST_LOOKS_MS) setTimeout(look, wait);
    return;
  }
  again.disabled = false;
  answer.textContent = answered?.status === 422 ? (await answered.json()).message : say("no-answer");
}
