// Your turn, for somebody who looks elsewhere: the title of the page, a badge on the installed app
// and, if that is wished for, a notification. The notification goes through a worker because phones
// know no other way.
import { ROOT } from "../paths.js";
import { storeItem, loadItem } from "../storage.js";
import { registerWorker } from "./service_worker.js";

const SIGN = "●";
const named = document.title;
let isMine = false;
let turns = 0;
let said = "";

document.addEventListener("visibilitychange", show);

/** Whether it is this page's turn, what to say then (Your turn), and at how many tables. */
export function setTurn(isMyTurn, title, n = Number(isMyTurn)) {
  const isNew = n > turns;
  [isMine, said, turns] = [isMyTurn, title, n];
  show();
  if (isNew && isDue()) announce();
}

function show() {
  document.title = [isMine && (document.hidden ? `${SIGN} ${said}` : said), named].filter(Boolean).join(" · ");
  badge(isDue());
  if (!isDue()) withdraw();
}

/** Whether there is something to say to somebody who does not look. */
function isDue() {
  return isMine && document.hidden;
}

function badge(isShown) {
  const done = isShown ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
  done?.catch(() => {}); // Not every app has a place for one.
}

async function announce() {
  if (!notifyIsOn()) return;
  try {
    const worker = await registerWorker();
    if (!isDue()) return;
    await worker.showNotification(said, { body: named, tag: location.pathname, icon: `${ROOT}/static/icons/icon-192.png`, data: location.href });
    if (!isDue()) withdraw();
  } catch {
    // The title says it, too.
  }
}

async function withdraw() {
  if (!notifyIsOn()) return;
  try {
    const shown = await (await registerWorker()).getNotifications({ tag: location.pathname });
    if (isDue()) return; // It came meanwhile.
    for (const each of shown) each.close();
  } catch {
    // Then it stays until somebody takes it away.
  }
}

/** "possible", or why not: "insecure" (only https has it), "unknown" to this browser, "blocked" by the reader. */
export function notifyState() {
  if (!isSecureContext) return "insecure";
  if (!("Notification" in window) || !navigator.serviceWorker) return "unknown";
  return Notification.permission === "denied" ? "blocked" : "possible";
}

export function notifyIsOn() {
  return loadItem("notify", "off") === "on" && notifyState() === "possible" && Notification.permission === "granted";
}

/** Asks the browser's question where it has not been answered; what has come of it. */
export async function switchNotify(on) {
  if (on && notifyState() === "possible") await Notification.requestPermission();
  if (!on) await withdraw();
  storeItem("notify", on && notifyState() === "possible" ? "on" : "off");
  return notifyIsOn();
}
