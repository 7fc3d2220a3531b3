// What something costs: a number that flies from where it happened to the count of whoever pays, and stays there for
// a turn.
import { draw } from "../lib/dom.js";
import { countPlace } from "./events/motion.js";

const FLIGHT_MS = 700;
const EASE = "cubic-bezier(.3, .1, .3, 1)";

/** The amounts that a view tells of. */
export function showAmounts(board, { events }) {
  for (const { moment, seat } of events) {
    if (!moment?.amount) continue;
    const count = [...board.svg.querySelectorAll("[data-count][data-seat]")].find((each) => each.dataset.seat === moment.seat);
    if (count) fly(board, moment, countPlace(count), seat);
  }
}

function fly(board, { amount, place, seat }, at, by) {
  const had = board.layer("ours").querySelector(`.amount[data-seat="${CSS.escape(seat)}"]`);
  const whole = amount + Number(had?.dataset.amount ?? 0);
  had?.remove();
  const sign = draw("text", { class: "change more amount", "data-seat": seat, "data-by": by, "data-amount": whole, x: at.x, y: at.y }, `+${whole}`);
  board.layer("ours").append(sign);
  const from = board.place(place);
  if (!from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const start = `translate(${from.x - at.x}px, ${from.y - at.y}px)`;
  sign.animate([{ transform: start, opacity: 0 }, { transform: start, opacity: 1, offset: 0.2, easing: EASE }, { transform: "none", opacity: 1 }], FLIGHT_MS);
}

/** Whoever did it acts again, or somebody here acts: by then it was seen. */
export function clearAmounts(board, { events, seats }) {
  const acting = new Set(events.map(({ seat }) => seat));
  const isOwn = seats.some(({ seat, is_mine: isMine }) => isMine && acting.has(seat));
  for (const sign of board.layer("ours").querySelectorAll(".amount")) {
    if (isOwn || acting.has(sign.dataset.by)) sign.remove();
  }
}
