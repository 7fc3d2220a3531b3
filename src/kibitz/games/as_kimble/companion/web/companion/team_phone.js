// What a team's own phone shows first: what we owe, that one more is done, the sentence, a note.
import { button } from "../board/prompt.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { askNote } from "./entries.js";
import { openHembo } from "./hembo.js";
import { litresText } from "./litres.js";
import { penaltyDoneButton, sentencesOwed, shareOf } from "./penalties.js";

export function teamPage(book) {
  return [
    ...sentencesOwed(book),
    ...book.seats.map((team) => make("section", { class: `card ours team-${team}`, "aria-label": book.teams.name(team) },
      make("div", { class: "row" }, book.teams.glyph(team), make("h2", { class: "sp" }, book.teams.name(team))),
      make("div", { class: "row" },
        make("div", { class: "sp figure" }, make("b", { class: "num", "data-owed": team }, String(book.figures.owed[team])),
          make("span", { class: "mut" }, say("book-owed"))),
        make("div", { class: "sp figure" }, make("b", { class: "num mut", "data-done": team }, String(book.figures.done[team])),
          make("span", { class: "mut" }, say("book-done")))),
      make("p", { class: "sm litres" }, [shareOf(book, team), litresText(book, team)].filter(Boolean).join(" · ")),
      penaltyDoneButton(book, team, "big wide", "pri"))),
    book.permissions.maySay && make("div", { class: "two" },
      // A team that enters its own turns has it below them.
      book.hasHembo && !book.permissions.mayEnter && make("button",
        { class: `btn hembo ${book.order.some((team) => book.owes(team)) ? "spark" : ""}`, type: "button", onclick: () => openHembo(book) },
        say("book-hembo")),
      button({ label: say("book-note"), icon: "type", does: () => askNote("", (text) => book.enter({ kind: "note", text })) })),
    make("p", { class: "sm mut no-hurry" }, say("book-no-hurry")),
    !book.permissions.mayEnter && make("p", { class: "now" }, icon("act", "s"), " ", book.view.status[0] ?? ""),
  ];
}
