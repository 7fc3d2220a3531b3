// Under the turn: the sentence, the latest to be undone, and what everybody owes.
import { icon, make } from "../../lib/dom.js";
import { isolate, say } from "../../lib/i18n.js";
import { entryText } from "../entries.js";
import { openHembo } from "../hembo.js";
import { coming } from "../penalties.js";
import { undoLatest, unsentEntry } from "./undo.js";

export function dockShown(book) {
  const { figures, order, permissions, tabs, teams } = book;
  if (tabs.current !== "turn" || book.view.outcome || !permissions.mayEnter) return [];
  const unsent = unsentEntry(book);
  const last = book.log.lines.at(-1);
  const isDue = order.some((team) => book.owes(team));
  return [
    make("div", { class: "row" },
      book.hasHembo && make("button",
        { class: `btn hembo sp ${isDue ? "due" : ""}`, type: "button", "data-key": "hembo", onclick: () => openHembo(book) }, say("book-hembo")),
      (unsent || (permissions.mayUndo && last)) && make("button",
        { class: "btn undo-last", type: "button", "data-key": `undo-${unsent?.key ?? last.n}`, onclick: () => undoLatest(book) },
        icon("undo"), make("span", {}, make("span", {}, say("book-undo")),
          make("span", { class: "xs mut" }, make("span", {}, ...(unsent ? [entryText(book, unsent)] : shortLine(book, last))))))),
    book.isSeated && make("ul", { class: "strip", "aria-label": say("book-owed") }, ...order.map((team) =>
      make("li", { class: `num team-${team}${book.owes(team) ? " due" : ""}` },
        teams.glyph(team), make("span", { class: "unseen" }, `${isolate(teams.name(team))}: `), String(figures.owed[team]),
        coming(book, team)))),
  ];
}

/** A line of the log where there is little room: the sign of a team for its name at the beginning. */
function shortLine({ order, teams }, { code, text }) {
  const [team] = code.split(" ");
  const name = order.includes(team) ? `${teams.name(team)} ` : "";
  return name && text.startsWith(name) ? [teams.glyph(team), text.slice(name.length)] : [text];
}
