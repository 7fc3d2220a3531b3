// A break (12.3): what covers the turn while it lasts, who ignored it, and how that is entered: who, what, how many.
import { button } from "../board/prompt.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { breakCost, ignoredLines } from "./break_cost.js";
import { faces } from "./dice.js";
import { openHembo } from "./hembo.js";
import { stepper } from "./stepper.js";

const FACES = [1, 2, 3, 4, 5, 6];

export function coverShown(book) {
  return make("div", { class: "panel" },
    icon("pause", "xl"), make("h2", { id: "cover-title" }, say("book-break")), make("p", {}, say("book-break-hint")),
    make("p", { class: "cost" }, make("b", {}, breakCost(book.options))),
    blame(book),
    book.permissions.maySay && button({ label: say("book-go-on"), kind: "pri wide big", does: () => book.rest("resume") }),
    book.permissions.mayEnter && button({ label: say("book-ignored"), kind: "wide", icon: "whistle", does: () => openIgnored(book) }),
    book.permissions.maySay && make("div", { class: "two" },
      book.hasHembo && button({ label: say("book-hembo"), does: () => openHembo(book) }),
      button({ label: say("book-to-book"), does: () => book.tabs.turnTo("book") })));
}

/** A break is told on every tab, and who ignored it; the turn is covered by it. */
export function breakStrip(book) {
  return make("section", { class: "card break-strip", "data-key": "break" },
    make("p", { role: "status" }, icon("pause"), make("span", {}, make("b", {}, say("book-break")), " · ", breakCost(book.options))),
    blame(book));
}

function blame(book) {
  return make("div", { class: "ignored", role: "status" }, ...ignoredLines(book.log.lines).map(({ text }) => make("p", {}, text)));
}

/** Which team, then what it did: one action. */
function openIgnored(book) {
  openSheet(say("book-ignored"), make("div", { class: "sure" }, make("p", {}, say("book-ignored-who")),
    make("div", { class: "two" }, ...book.order.map((team) =>
      make("button", { class: `btn team team-${team}`, type: "button", onclick: () => openDeed(book, team) },
        book.teams.glyph(team), book.teams.name(team))))));
}

function openDeed(book, team) {
  const { seq } = book.view;
  const usual = book.options.break_penalty;
  let n = usual;
  const enter = async (text) => {
    closeSheet();
    const { type } = await book.requests.send([text], { seq });
    if (type !== "done" || n === usual) return;
    const more = n > usual ? `+${n - usual}` : `-${usual - n}`;
    book.requests.send([`ref pen ${team} ${more} ${JSON.stringify(say("book-reason-break"))}`], { isTimely: false });
  };
  const deeds = [say("book-ignored-moved"), say("book-ignored-drank"), ...(book.isLedger ? [say("book-ignored-popped")] : [])];
  openSheet(say("book-ignored"), make("div", { class: `sure team-${team}` },
    make("p", { class: "row" }, book.teams.badge(team), make("span", {}, breakCost(book.options))),
    // The referee may make it more, or waive it.
    book.info.may_rule && stepper(say("book-rule-penalties"), usual, 0, (chosen) => { n = chosen; }),
    // Without the board nobody knows what the die showed, so there is nothing to be turned back.
    !book.isLedger && make("h3", {}, say("book-ignored-shown")),
    !book.isLedger && faces(FACES.map((face) => ({ face, label: String(face), does: () => enter(`${team} stray ${face}`) })), say("book-ignored-shown")),
    make("div", { class: "two" }, ...deeds.map((label) => button({ label, does: () => enter(`${team} ignored`) })))));
}
