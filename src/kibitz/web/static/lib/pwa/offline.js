// Pages that start without a network. They are fetched without cookies, in the reader's language, so
// nothing of anybody is in them; each set is kept whole, under a digest that an update changes. What
// a page keeps of its own, a book, it keeps itself.
import { TALL } from "../breakpoints.js";
import { ROOT } from "../paths.js";
import { registerWorker } from "./service_worker.js";

const OURS = "kibitz-";
const language = document.documentElement.lang;

/** Whether this page runs as an app of its own. */
export function isInstalled() {
  return matchMedia("(display-mode: standalone)").matches || /** @type {any} */ (navigator).standalone === true;
}

/** Keeps a set of pages, "reading" or "book", unless it is there already; whether it is there now. */
export async function keepPages(set) {
  if (!isSecureContext || !navigator.serviceWorker) return false;
  try {
    await registerWorker();
    const { digest, sets } = await (await fetch(`${ROOT}/offline/list`)).json();
    const name = `${OURS}${set}-${digest}-${language}`;
    await fill(await caches.open(name), sets[set]);
    const older = (await caches.keys()).filter((each) => each.startsWith(`${OURS}${set}-`) && each !== name);
    await Promise.all(older.map((each) => caches.delete(each)));
    return true;
  } catch {
    return false; // No network, no room, or an update is under way: the next page tries again.
  }
}

/** The first one comes last, with what it needs: once it is there, all are. */
async function fill(cache, [first, ...others]) {
  if (await cache.match(ROOT + first)) return;
  for (const path of [...others, first]) {
    const answer = await got(`${ROOT}${path}${/\/steps$/.test(path) ? `?is_tall=${Number(TALL.matches)}` : ""}`);
    const text = await answer.clone().text();
    const files = new Set([...text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]+)/g)].map(([, file]) => file));
    for (const file of files) {
      if (await cache.match(file)) continue;
      const asset = await got(file);
      if (!asset.headers.get("Cache-Control")?.includes("immutable")) throw new Error(`${file} is another one by now`);
      await cache.put(file, asset);
    }
    await cache.put(ROOT + path, answer);
  }
}

async function got(address) {
  const answer = await fetch(address, { credentials: "omit", headers: { "Accept-Language": language } });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
