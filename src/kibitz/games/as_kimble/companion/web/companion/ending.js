// The end of a match: what is checked before it is in the book, and what there is to do after it.
import { button } from "../board/prompt.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { ROOT } from "../lib/paths.js";

/** Without a board it is the book's word that somebody has won; a team that owes something wins by a ruling with its reason. */
export function askWinner(book) {
  const { owed } = book.figures;
  openSheet(say("book-has-won"), make("div", { class: "choices" },
    ...book.order.map((team) => make("button", { class: `btn team team-${team}`, type: "button", onclick: () => checkWinner(book, team) },
      book.teams.glyph(team), make("span", { class: "sp" }, book.teams.name(team)),
      owed[team] ? make("span", { class: "chip num" }, `${owed[team]} ${say("book-owed")}`) : ""))));
}

function checkWinner(book, team) {
  const owed = book.figures.owed[team];
  if (!owed) return askRaised(book, team, {});
  const field = make("input", { class: "field", maxlength: 200, "aria-label": say("book-why"), placeholder: say("book-why"), required: true });
  const form = make("form", { class: `sure team-${team}`, onsubmit: (event) => {
    event.preventDefault();
    askRaised(book, team, { why: field.value.trim() });
  } },
  make("p", { class: "row" }, book.teams.glyph(team), make("b", {}, say("book-won-owing", { team: book.teams.name(team), n: owed }))),
  field,
  make("button", { class: "btn bad wide big" }, icon("whistle"), say("book-won-anyway")));
  return openSheet(say("book-has-won"), form);
}

/** A true victory takes a raise of one's own (13): what the book does not know is asked for. */
function askRaised(book, team, why) {
  const { raised, round } = book.figures;
  const win = (...before) => {
    closeSheet();
    for (const entry of before) book.enter(entry);
    book.enter({ kind: "won", team, ...why });
  };
  if (round > 1 || raised.includes(team) || !book.options.raising) return win();
  return openSheet(say("book-raised"), make("div", { class: `sure team-${team}` },
    make("p", { class: "row" }, book.teams.glyph(team), make("span", {}, say("book-raised-hint", { team: book.teams.name(team) }))),
    button({ label: say("book-raised-yes"), kind: "pri wide big", does: () => win({ kind: "raise", team }) }),
    button({ label: say("book-raised-no"), kind: "wide big", does: () => win() })));
}

/** Whether this team has won once nothing is owed any more (13). */
export function isPlaced({ isLedger, figures, view }, team) {
  return !isLedger && figures.phase !== "C" && [1, 2, 3, 4].every((n) => view.pieces[`g-${team}${n}`]);
}

export function askLastDone(book, team, does) {
  openSheet(say("book-last-done"), make("div", { class: `sure team-${team}` },
    make("p", { class: "row" }, book.teams.glyph(team), make("b", {}, say("book-last-done-hint", { team: book.teams.name(team) }))),
    button({ label: say("book-last-done-yes"), kind: "pri wide big", icon: "flag", does: () => { closeSheet(); does(); } })));
}

/** Who has won, the score of the night, and another match. */
export function endShown(book, { title, why, winners, motto }) {
  return [make("div", { class: "ended" },
    winners.length === 1 && book.teams.glyph(winners[0]),
    make("h2", {}, title), make("p", {}, why),
    motto ? make("p", { class: "motto mut" }, motto) : "",
    score(book, winners),
    rematch(book),
    make("a", { class: "btn wide big", href: `${ROOT}/t/${book.id}/night` }, icon("book"), say("night")))];
}

/** The matches that each team has won tonight, once there is more than this one. */
function score(book, winners) {
  const wins = book.order.map((team) => (book.info.teams[team]?.wins ?? 0) + Number(winners.includes(team)));
  if (wins.reduce((sum, n) => sum + n, 0) < 2) return "";
  return make("section", { class: "card score", "aria-label": say("book-tonight") }, make("h3", { class: "sect" }, say("book-tonight")),
    make("ul", {}, ...book.order.map((team, i) => make("li", { class: `team-${team}`, "data-wins": team }, book.teams.badge(team),
      make("b", { class: "num" }, String(wins[i]))))));
}

function rematch(book) {
  const { next } = book.view.table;
  if (next) return make("a", { class: "btn pri wide big", href: `${ROOT}/book/${next.split("/").at(-1)}` }, icon("after"), say("book-rematch-on"));
  if (!book.info.may_enter_all || book.view.table.request) return "";
  return button({ label: say("book-rematch"), kind: "pri wide big", icon: "undo", does: () => book.requests.send(["ask rematch"], { isTimely: false }) });
}
