// The sentence: who says it, and in which form. In a book without a board, whether it was said at all.
import { button } from "../board/prompt.js";
import { closeSheet, openSheet } from "../lib/dialog.js";
import { make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { FORMS } from "./entries.js";

const HOW = {
  said: say("book-hembo-said"), missed: say("book-hembo-missed"), wrong: say("book-hembo-wrong"), uncalled: say("book-hembo-uncalled"),
};

/** Those who owe it come first. */
export function openHembo(book) {
  const teams = [...book.seats].sort((a, b) => book.owes(b) - book.owes(a));
  const isNeedless = !book.isLedger && !teams.some((team) => book.owes(team));
  openSheet(say("book-hembo-who"), make("div", { class: "calls" },
    isNeedless && make("p", { class: "note sm" }, say("book-hembo-needless")),
    ...teams.map((team) => make("div", { class: `call team-${team}${book.owes(team) ? " due" : ""}`, role: "group", "aria-label": book.name(team) },
      book.badge(team), make("div", { class: "forms" }, ...(book.isLedger ? hows(book, team) : forms(book, team)))))));
}

function forms(book, team) {
  const right = book.options.team_size[book.order.indexOf(team)] > 1 ? "vi" : "jag";
  const both = right === "jag" ? ["jag", "vi"] : ["vi", "jag"];
  return both.map((form) => button({
    label: FORMS[form], kind: form === right && book.owes(team) ? "spark" : "",
    does: () => { closeSheet(); book.enter({ kind: "call", team, form }); },
  }));
}

/** What costs something is for those who keep the book. */
function hows(book, team) {
  return Object.entries(HOW).filter(([how]) => how === "said" || book.kept.rules).map(([how, label]) =>
    button({ label, does: () => { closeSheet(); book.enter({ kind: "hembo", team, how }); } }));
}
