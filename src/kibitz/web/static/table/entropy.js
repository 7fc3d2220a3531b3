// What this browser adds to the dice, once it has seen the envelope that they come from.
import { keepEnvelope, keptTexts, keepText, sha256 } from "../lib/draws.js";
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
  await send(id, seat, `#${await sha256(new TextEncoder().encode(text))}`);
}

/** Another browser may have chosen for the seat: then it is that one's to tell. */
async function tell(id, envelope, seat) {
  const { text } = keptTexts(id, envelope)[seat] ?? {};
  if (text && await send(id, seat, text)) keepText(id, envelope, seat, text, true);
}

async function send(id, seat, text) {
  const answer = await fetch(`${API}/tables/${id}/actions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key: randomId(), seat, actions: [`entropy ${seat} ${text}`] }),
  }).catch(() => null);
  return Boolean(answer?.ok);
}

function once(what, act) {
  if (sent.has(what)) return;
  sent.add(what);
  act();
}
