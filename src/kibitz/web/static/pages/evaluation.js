// The chances over a match that is over: the server looks at it a second at a time, and is asked
// again until it has seen all of it.
import { make, nodes } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

const PAUSE_MS = 100;
const RETRY_MS = 2000;

/** Fills `room` with what was found in the match at this address, and says whether it could. */
export async function showChances(address, room) {
  const bar = make("progress", { class: "looking", max: 1, value: 0, "aria-label": say("chances") });
  const told = make("p", { class: "sm mut", role: "status" }, say("chances-begin"));
  room.replaceChildren(make("div", { class: "looked" }, bar, told));
  while (room.isConnected) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.status === 200) {
      room.replaceChildren(nodes(await answer.text()));
      return true;
    }
    const isOnTheWay = answer?.status === 202;
    if (isOnTheWay) {
      const { done, of } = await answer.json();
      bar.max = of;
      bar.value = done;
      told.textContent = say("chances-at", { n: done, of });
    } else if (answer && answer.status < 500 && answer.status !== 429) {
      room.replaceChildren(make("p", { class: "mut", role: "alert" }, say("no-answer")));
      return false;
    }
    const wait = isOnTheWay ? PAUSE_MS : Number(answer?.headers.get("Retry-After")) * 1000 || RETRY_MS;
    await new Promise((resolve) => { setTimeout(resolve, wait); });
  }
  return false;
}
