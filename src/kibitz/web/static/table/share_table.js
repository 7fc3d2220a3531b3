// Sharing a position of a table, as whoever shares it may see it.
import { addressOf, isShort } from "../board/sharing/position_url.js";
import { openShare } from "../board/sharing/share_position.js";
import { make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { openSheet } from "../lib/overlay/dialog.js";
import { API } from "../lib/paths.js";

const TABLE = document.getElementById("table");

/** The position after `n` actions. */
export async function openTableShare(n) {
  const { game, id } = TABLE.dataset;
  try {
    const past = await got(`${API}/tables/${id}/positions/${n}`);
    await openShare({ name: `${game}-${id}-${n}`, drawing: past.svg, link: location.origin + await linkTo(n), position: past.position });
  } catch {
    openSheet(say("share-position"), make("p", { class: "mut" }, say("no-answer")));
  }
}

/** It holds the moves themselves: who gets it need not be let in to the table. */
async function linkTo(n) {
  const { game, id } = TABLE.dataset;
  const [{ options, start, actions }, games] = await Promise.all([got(`${API}/tables/${id}/record`), got(`${API}/games`)]);
  const { preset, options: known } = games.find(({ name }) => name === game);
  const rules = { preset, book: Object.fromEntries(known.map((option) => [option.name, option.default])) };
  const whole = addressOf(game, { options, start }, actions.slice(0, n), rules);
  if (isShort(whole)) return whole;
  const line = { game, options, start, actions: actions.slice(0, n) };
  const { position } = await got(`${API}/analysis`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(line) });
  return addressOf(game, { options, start: position }, [], rules);
}

async function got(address, how) {
  const answer = await fetch(address, how);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}
