// What this browser adds to the dice, once it has seen the envelope that they come from.
import { keepEnvelope, keptTexts, keepText, sha256 } from "../lib/draws/draws.js";
import { API } from "../lib/paths.js";
import { randomId } from "../lib/random_id.js";

const sent = new Set();

/** Its seats choose a text first, and tell it when all have chosen, or a draw waits for it. */
export function addEntropy(id, { envelope, mixing }) {
  if (!envelope) return;
  keepEnvelope(id, envelope);
  if (!crypto.subtle) return;
  for (const seat of mixing?.hashes ?? []) once(`${envelope} ${seat} #`, () => choose(id, envelope, seat));
  for (const seat of mixing?.texts ?? []) once(`${envelope} ${seat}`, () => tell(id, envelope, seat));
}

async function choose(id, envelope, seat) {
  const text = keptTexts(id, envelope)[seat]?.text ?? randomId();
  keepText(id, envelope, seat, text, false);
  return send(id, seat, `#${await sha256(new TextEncoder().encode(text))}`);
}

/** Another browser may have chosen for the seat: then it is that one's to tell. */
async function tell(id, envelope, seat) {
  const { text } = keptTexts(id, envelope)[seat] ?? {};
  if (!text) return true;
  const isSent = await send(id, seat, text);
  if (isSent) keepText(id, envelope, seat, text, true);
  return isSent;
}

async function send(id, seat, text) {
  const answer = await fetch(`${API}/tables/${id}/actions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key: randomId(), seat, actions: [`entropy ${seat} ${text}`] }),
  }).catch(() => null);
  await answer?.text(); // Unread, it would keep its connection.
  return Boolean(answer?.ok);
}

/** What does not arrive is sent again with the next view that asks for it. */
async function once(what, act) {
  if (sent.has(what)) return;
  sent.add(what);
  if (!(await act())) sent.delete(what);
}
