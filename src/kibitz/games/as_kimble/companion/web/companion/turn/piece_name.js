// A piece by where it is in its team's row, as people say it: the holes of a real board have no numbers.
import { say } from "../../lib/i18n.js";

const RING_FIELDS = 28;
const TEAM_FIELDS = 7;
/** From the front to the rear, by the number of pieces on the track. */
const ROWS = {
  1: [say("book-piece-only")],
  2: [say("book-piece-front"), say("book-piece-rear")],
  3: [say("book-piece-front"), say("book-piece-middle"), say("book-piece-rear")],
  4: [say("book-piece-front"), say("book-piece-second"), say("book-piece-third"), say("book-piece-rear")],
};

/** The piece of a team at a place: `t-9`, or `g-R2` in its goal. */
export function pieceName(book, team, element) {
  const goal = element.match(/^g-[RBYG](\d)$/);
  if (goal) return say("book-piece-goal", { n: goal[1] });
  const row = Object.entries(book.view.pieces).filter(([place, { seat }]) => seat === team && /^t-\d+$/.test(place)).map(([place]) => place)
    .sort((a, b) => wayOf(book, team, b) - wayOf(book, team, a));
  return ROWS[row.length]?.[row.indexOf(element)] ?? ROWS[1][0];
}

/** How far a place of the track is from the team's start. */
function wayOf(book, team, element) {
  return (Number(element.slice(2)) - TEAM_FIELDS * book.order.indexOf(team) + RING_FIELDS) % RING_FIELDS;
}
