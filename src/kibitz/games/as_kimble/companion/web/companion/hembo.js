// The sentence: who says it, and in which form. In a book without a board, whether it was said at all.
import { button } from "../board/prompt.js";
import { make } from "../lib/dom.js";
import { fetchJson } from "../lib/fetch_json.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { API } from "../lib/paths.js";
import { FORMS } from "./entries.js";

const NO_MARK = "-";
const OWING = "!";
/** The field of a position that has them, counted from 0 (16). */
const MARKS = 5;
const HOW = {
  said: say("book-hembo-said"), missed: say("book-hembo-missed"), wrong: say("book-hembo-wrong"), uncalled: say("book-hembo-uncalled"),
};

/** Those who owe it come first. */
export function openHembo(book) {
  const teams = [...book.seats].sort((a, b) => book.owes(b) - book.owes(a));
  const isNeedless = !book.isLedger && book.isReminded && !teams.some((team) => book.owes(team));
  openSheet(say("book-hembo-who"), make("div", { class: "calls" },
    isNeedless && make("p", { class: "note sm" }, say("book-hembo-needless")),
    ...teams.map((team) => make("div", { class: `call team-${team}${book.owes(team) ? " due" : ""}`, role: "group", "aria-label": book.teams.name(team) },
      book.teams.badge(team), make("div", { class: "forms" }, ...(book.isLedger ? hows(book, team) : forms(book, team)))))));
}

/** While there is time only the right form matters: the other one costs nothing. */
function forms(book, team) {
  const right = book.teams.form(team);
  const offered = book.figures.marks[team] === NO_MARK ? [right, right === "jag" ? "vi" : "jag"] : [right];
  return offered.map((form) => button({
    label: FORMS[form], kind: form === right && book.owes(team) ? "spark" : "",
    does: () => { closeSheet(); book.enter({ kind: "call", team, form }); },
  }));
}

/** The pop that makes it too late for somebody: asked once of each, then `pop(seq)`. What was said comes first in the book. */
export async function popAfterSentence(book, pop, seq = book.view.seq) {
  const isLate = book.figures.phase === "N" && book.options.hembo !== "off";
  askWhetherSaid(book, isLate ? await owing(book) : [], pop, seq);
}

/** The teams that owe it. A screen that reminds nobody asks for them only now, when the dome has been popped. */
async function owing(book) {
  if (book.isLedger || book.isReminded || !book.isUp) return book.order.filter((team) => book.owes(team));
  const marks = (await fetchJson(`${API}/tables/${book.id}/position`))?.position.split(" ")[MARKS] ?? "";
  return book.order.filter((_, i) => marks[i] === OWING);
}

function askWhetherSaid(book, teams, pop, seq) {
  const [team, ...rest] = teams;
  if (!team) return pop(seq);
  const next = async (wasSpoken) => {
    closeSheet();
    const answer = wasSpoken ? await book.requests.send([`${team} hembo ${book.teams.form(team)}`], { seat: team, isTimely: false }) : { type: "done", seq };
    if (answer.type === "done") askWhetherSaid(book, rest, pop, answer.seq);
  };
  openSheet(say("book-hembo-asked"), make("div", { class: `sure team-${team}` },
    make("p", {}, say("book-hembo-asked-hint", { team: book.teams.name(team) })),
    make("div", { class: "two" },
      button({ label: say("book-hembo-not-said"), does: () => next(false) }),
      button({ label: say("book-hembo-yes-said"), kind: "pri", does: () => next(true) }))));
}

/** What costs something is for those who keep the book. */
function hows(book, team) {
  return Object.entries(HOW).filter(([how]) => how === "said" || book.info.may_enter_all).map(([how, label]) =>
    button({ label, does: () => { closeSheet(); book.enter({ kind: "hembo", team, how }); } }));
}
