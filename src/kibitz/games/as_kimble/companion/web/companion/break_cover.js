// A break (12.3): what covers the turn while it lasts, who ignored it, and how that is entered.
import { button } from "../board/prompt.js";
import { closeSheet, openSheet } from "../lib/dialog.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { breakCost, ignoredLines } from "./break_cost.js";
import { faces } from "./dice.js";
import { openHembo } from "./hembo.js";

const FACES = [1, 2, 3, 4, 5, 6];

export function coverShown(book) {
  return make("div", { class: "panel" },
    icon("pause", "xl"), make("h2", { id: "cover-title" }, say("book-break")), make("p", {}, say("book-break-hint")),
    make("p", { class: "cost" }, make("b", {}, breakCost(book.options))),
    make("div", { class: "ignored", role: "status" }, ...ignoredLines(book.log).map(({ text }) => make("p", {}, text))),
    book.maySay && button({ label: say("book-go-on"), kind: "pri wide big", does: () => book.rest("resume") }),
    book.mayEnter && button({ label: say("book-ignored"), kind: "wide", icon: "whistle", does: () => openIgnored(book) }),
    book.maySay && make("div", { class: "two" },
      book.hasHembo && button({ label: say("book-hembo"), does: () => openHembo(book) }),
      button({ label: say("book-to-book"), does: () => book.turnTo("book") })));
}

/** A break is told on every tab; the turn is covered by it. */
export function breakStrip(book) {
  return make("p", { class: "card break-strip", role: "status" }, icon("pause"),
    make("span", {}, make("b", {}, say("book-break")), " · ", breakCost(book.options)));
}

/** Which team, then what it did: one action. */
function openIgnored(book) {
  openSheet(say("book-ignored"), make("div", { class: "sure" }, make("p", {}, say("book-ignored-who")),
    make("div", { class: "two" }, ...book.order.map((team) =>
      make("button", { class: `btn team team-${team}`, type: "button", onclick: () => openDeed(book, team) }, book.glyph(team), book.name(team))))));
}

function openDeed(book, team) {
  const { seq } = book.view;
  const enter = (text) => {
    closeSheet();
    book.send([text], { seq });
  };
  const deeds = [say("book-ignored-moved"), say("book-ignored-drank"), ...(book.isLedger ? [say("book-ignored-popped")] : [])];
  openSheet(say("book-ignored"), make("div", { class: `sure team-${team}` },
    make("p", { class: "row" }, book.badge(team), make("span", {}, breakCost(book.options))),
    // Without the board nobody knows what the die showed, so there is nothing to be turned back.
    !book.isLedger && make("h3", {}, say("book-ignored-shown")),
    !book.isLedger && faces(FACES.map((face) => ({ face, label: String(face), does: () => enter(`${team} stray ${face}`) })), say("book-ignored-shown")),
    make("div", { class: "two" }, ...deeds.map((label) => button({ label, does: () => enter(`${team} ignored`) })))));
}
