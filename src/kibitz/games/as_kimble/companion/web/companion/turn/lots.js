// Popping for the start: what every chair has popped, what it is for, and why somebody pops again.
import { make } from "../../lib/dom.js";
import { isolate, say } from "../../lib/i18n.js";
import { die } from "../dice.js";

const CHAIRS = "abcd";

export function lotsSoFar(book) {
  if (book.isSeated) return [];
  const pops = popsOf(book.log.lines);
  const again = book.view.seats.filter(({ seat, is_to_act: isToAct }) => isToAct && pops[book.order.indexOf(seat)].length);
  const names = again.map(({ seat }) => isolate(book.teams.name(seat)));
  const list = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(names);
  return [make("section", { class: "card lots-card", "aria-label": say("book-lots-so-far") },
    make("ul", { class: "chairs" }, ...book.order.map((seat, i) => make("li", { "data-chair": CHAIRS[i] },
      book.teams.glyph(seat), make("span", { class: "xs mut" }, book.teams.name(seat)),
      make("span", { class: "popped" }, ...(pops[i].length ? pops[i].map((face) => die(face, "tiny")) : [make("span", { class: "mut" }, "–")]))))),
    make("p", { class: "sm", role: "status" },
      book.figures.phase === "S" && names.length ? say("book-lots-level", { teams: list }) : say("book-lots-rule")))];
}

/** The lots of each chair, in order. What did not move shows what the die showed before. */
function popsOf(log) {
  const pops = [[], [], [], []];
  let face = 0;
  for (const { code } of log) {
    const [chair, word, shown] = code.split(" ");
    const i = CHAIRS.indexOf(chair);
    if (chair === "warm") face = Number(word);
    else if (i >= 0 && word === "lot") pops[i].push(face = Number(shown));
    else if (i >= 0 && word === "silent") face = Number(shown);
    else if (i >= 0 && word === "sticky") pops[i].push(face);
  }
  return pops;
}
