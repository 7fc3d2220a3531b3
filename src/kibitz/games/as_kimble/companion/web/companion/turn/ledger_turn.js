// The turn without the board in the book: only what costs something. Who ate whom takes three touches,
// as a team and how many pieces it had there are one.
import { button } from "../../board/prompt.js";
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { askWinner } from "../ending.js";
import { SIZES, UNKNOWN, entryText, pieceOf } from "../entries.js";

const KINDS = {
  eaten: { name: say("book-kind-eaten"), first: say("book-first-eaten"), second: say("book-second-eaten") },
  mine: { name: say("book-kind-mine"), first: say("book-first-mine"), second: say("book-second-mine") },
  raise: { name: say("book-kind-raise"), first: say("book-first-raise"), second: say("book-second-raise") },
};
/** What is being entered, and who was touched: { team, times } each. */
let kind = "eaten";
let first = null;
let second = null;

export function ledgerTurn(book) {
  const entry = chosenEntry();
  return [
    make("div", { class: "seg", role: "group", "aria-label": say("book-what") }, ...Object.entries(KINDS).map(([each, { name }]) =>
      make("button", { type: "button", "aria-current": each === kind ? "true" : null, onclick: () => begin(each, book) }, name))),
    who(book, KINDS[kind].first, first, pick(book, 1), kind === "raise" ? [1] : SIZES, first ? [first.team] : book.order),
    first && who(book, KINDS[kind].second, second, pick(book, 2), SIZES, others(book)),
    make("p", { class: "sm mut told", role: "status" }, entry ? entryText(book, entry) : say("book-ledger-hint")),
    make("div", { class: "row sure-row" },
      make("button", { class: "btn pri sp big", type: "button", "data-key": "write", disabled: !entry, onclick: () => write(book) }, icon("check"),
        say("book-write"))),
    make("div", { class: "row" }, button({ label: say("book-has-won"), icon: "flag", does: () => askWinner(book) })),
  ];
}

/** Whom it may have happened with; whose mine it was need not be remembered. */
function others(book) {
  return [...book.order.filter((team) => team !== first.team), ...(kind === "mine" ? [UNKNOWN] : [])];
}

function begin(each, book) {
  kind = each;
  first = second = null;
  book.show();
}

const pick = (book, place) => (team, times) => {
  const isAgain = (chosen) => chosen?.team === team && chosen.times === times;
  if (place === 1) first = isAgain(first) ? null : { team, times };
  else second = isAgain(second) ? null : { team, times };
  if (!first) second = null;
  book.show();
};

/** A row for each team, and in it a button for each number of pieces; touched again it is let go. */
function who(book, title, chosen, pick, sizes, teams) {
  return make("div", { class: `who${sizes.length > 1 ? "" : " one"}`, role: "group", "aria-label": title }, make("h3", { class: "sect" }, title),
    ...teams.map((team) => make("div", { "data-key": team, class: `sizes team-${team}` },
      team === UNKNOWN ? make("span", { class: "glyph unknown", "aria-hidden": "true" }, "?") : book.teams.glyph(team),
      ...sizes.map((times) => make("button", {
        class: "size", type: "button", "aria-pressed": String(chosen?.team === team && chosen.times === times),
        "data-pick": `${team}${times}`, "aria-label": pieceOf(book, team, times), onclick: () => pick(team, times),
      }, sizes.length > 1 ? `×${times}` : book.teams.name(team))))));
}

function chosenEntry() {
  if (!first) return null;
  if (kind === "raise") return { kind, team: first.team, ...(second ? { victim: second.team, victim_times: second.times } : {}) };
  if (!second) return null;
  if (kind === "mine") return { kind, mover: first.team, times: first.times, mine: second.team, mine_times: second.times };
  return { kind, eater: first.team, eater_times: first.times, victim: second.team, victim_times: second.times };
}

function write(book) {
  const entry = chosenEntry();
  if (!entry) return;
  first = second = null;
  book.enter(entry);
}
