// The draws of a match, made again in this browser: from the envelopes it was shown while the match
// was played, and with what it added itself. Nobody has to believe the server.
import { API } from "../paths.js";
import { loadItem, storeItem } from "../storage.js";

const KEY = "kibitz-dice";
const MOST_TABLES = 50;
const RANGE = 1n << 256n;

/** What is kept of each table: by envelope the texts of seats, and whether they were told. */
function load() {
  return JSON.parse(loadItem(KEY, "{}"));
}

function change(id, how) {
  const { [id]: known = {}, ...others } = load();
  const older = Object.entries(others).slice(1 - MOST_TABLES);
  storeItem(KEY, JSON.stringify({ ...Object.fromEntries(older), [id]: how(known) }));
}

export function keepEnvelope(id, envelope) {
  if (!load()[id]?.[envelope]) change(id, (known) => ({ ...known, [envelope]: {} }));
}

export function keepText(id, envelope, seat, text, isTold) {
  change(id, (known) => ({ ...known, [envelope]: { ...known[envelope], [seat]: { text, isTold } } }));
}

export function keptTexts(id, envelope) {
  return load()[id]?.[envelope] ?? {};
}

export async function sha256(bytes) {
  return toHex(await crypto.subtle.digest("SHA-256", bytes));
}

/** How many draws agree and whether this browser had a part in them; else what does not agree. */
export async function checkDraws(id) {
  if (!crypto.subtle) return { fault: "unable" };
  const answer = await fetch(`${API}/tables/${id}/draws`).catch(() => null);
  if (!answer?.ok) return { fault: "unanswered" };
  const { epochs, draws } = await answer.json();
  for (const { seed, commitment } of epochs) {
    if (await sha256(fromHex(seed)) !== commitment) return { fault: "swapped" };
  }
  const kept = Object.entries(load()[id] ?? {});
  let isOwn = false;
  for (const [envelope, texts] of kept) {
    const epoch = epochs.find(({ commitment }) => commitment === envelope);
    if (!epoch) return { fault: "swapped" };
    const told = Object.values(texts).filter(({ isTold }) => isTold);
    if (!told.every(({ text }) => epoch.entropies.includes(text))) return { fault: "missing" };
    isOwn ||= told.length > 0;
  }
  const keys = await Promise.all(epochs.map(({ seed }) => crypto.subtle.importKey("raw", fromHex(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])));
  for (const { number, chances, drawn } of draws) {
    const at = epochs.findLastIndex(({ from_draw: from }) => from <= number);
    const whole = chances.reduce((sum, [, many]) => sum + many, 0);
    let left = await fairDraw(keys[at], epochs[at].entropies, number, whole);
    const due = chances.find(([, many]) => (left -= many) < 0);
    if (due?.[0] !== drawn) return { fault: "wrong", number };
  }
  return { n: draws.length, isOwn };
}

/** As `kibitz.table.sealed_dice.fair_draw` does it. */
async function fairDraw(key, entropies, number, whole) {
  const fair = RANGE - RANGE % BigInt(whole);
  for (let attempt = 0; ; attempt += 1) {
    const text = new TextEncoder().encode([...entropies, number, attempt].join(":"));
    const found = BigInt(`0x${toHex(await crypto.subtle.sign("HMAC", key, text))}`);
    if (found < fair) return Number(found % BigInt(whole));
  }
}

function toHex(buffer) {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(text) {
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}
