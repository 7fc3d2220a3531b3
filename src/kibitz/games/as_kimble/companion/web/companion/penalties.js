// The book itself: who owes what and has done what, what was entered last, and how the dome does tonight.
import { button } from "../board/prompt.js";
import { icon, make } from "../lib/dom.js";
import { isolate, say } from "../lib/i18n.js";
import { ROOT } from "../lib/paths.js";
import { backTo, takeOut, undoLatest, unsentEntry } from "./book/undo.js";
import { askLastDone, isPlaced } from "./ending.js";
import { askNote, entryText, penaltyChange } from "./entries.js";
import { litresText, playersShown } from "./litres.js";

const FIRST_LINES = 8;
const MORE_LINES = 40;
let isLong = false;

export function penaltiesPage(book) {
  return [
    ...sentencesOwed(book),
    make("div", { class: "row" }, make("h2", { class: "sp" }, say("book-penalties")), share(book)),
    ledger(book),
    ...shares(book),
    make("p", { class: "sm mut no-hurry" }, say("book-no-hurry")),
    undo(book),
    make("div", { class: "two" },
      book.permissions.mayNote && button({ label: say("book-note"), icon: "type", does: () => askNote("", (text) => book.enter({ kind: "note", text })) }),
      book.permissions.mayPause && button({ label: say("book-pause"), icon: "pause", does: () => book.rest("break") })),
    latest(book),
    fairness(book),
    make("a", { class: "btn", href: `${ROOT}/t/${book.id}/night` }, icon("book"), say(book.view.outcome ? "night" : "book-night")),
  ];
}

/** Who owes the sentence. */
export function sentencesOwed(book) {
  return book.order.filter((team) => book.owes(team)).map((team) => make("div", { class: "head-card due", role: "status" },
    book.teams.glyph(team),
    make("div", { class: "sp" }, make("h2", {}, say("book-owes-sentence", { team: book.teams.name(team) })), make("p", { class: "sm" }, say("book-until-pop"))),
    book.permissions.speaksFor(team) && make("button", { class: "btn spark", type: "button", onclick: () => book.call(team) }, say("book-said-it"))));
}

/** What one penalty comes to, where all teams are alike. */
function share(book) {
  return isEven(book) ? make("span", { class: "chip" }, shareOf(book, book.order[0])) : "";
}

/** What it comes to for each, where they are not. */
function shares(book) {
  if (isEven(book)) return [];
  return [make("ul", { class: "shares xs" }, ...book.order.map((team) => make("li", { class: "chip" }, book.teams.glyph(team), shareOf(book, team))))];
}

function isEven(book) {
  return new Set(book.options.team_size).size === 1;
}

const UNITS = {
  units: [say("book-unit-units-one"), say("book-unit-units")], soft: [say("book-unit-soft-one"), say("book-unit-soft")],
  cans: [say("book-unit-cans-one"), say("book-unit-cans")], wine: [say("book-unit-wine-one"), say("book-unit-wine")],
  custom: [say("book-unit-custom-one"), say("book-unit-custom")],
};

/** What one penalty of a team comes to. */
export function shareOf(book, team) {
  const size = book.options.team_size[book.order.indexOf(team)];
  return say("book-share", { n: shareText(book, size), size });
}

/** So many of the unit: one penalty of a team of this size. */
export function shareText(book, size) {
  const n = Math.round(size * book.options.unit_factor * 100) / 100;
  return `${n} ${unitName(book, n)}`;
}

/** The unit of so many shares. */
export function unitName({ options: { unit, unit_name: name } }, n) {
  return name ?? UNITS[unit][n === 1 ? 0 : 1];
}

function ledger(book) {
  const { owed, done } = book.figures;
  return make("div", { class: "card ledger", role: "table", "aria-label": say("book-penalties") },
    make("div", { class: "lr xs mut", role: "row" },
      ...[say("book-team"), say("book-owed"), say("book-done")].map((text) => make("span", { role: "columnheader" }, text)),
      make("span", { role: "columnheader" }, make("span", { class: "unseen" }, say("book-one-done")))),
    ...book.order.map((team) => make("div", { class: `lr team-${team}`, role: "row" },
      make("span", { class: "who-is", role: "rowheader" }, book.teams.badge(team), make("span", { class: "xs mut" }, playersShown(book, team)),
        make("span", { class: "xs litres" }, litresText(book, team))),
      make("span", { class: "big num owed", role: "cell", "data-owed": team }, String(owed[team]), coming(book, team)),
      make("span", { class: "big num mut", role: "cell", "data-done": team }, String(done[team])),
      make("span", { role: "cell" }, penaltyDoneButton(book, team)))));
}

/** What is on its way, beside the number that it changes. */
export function coming(book, team) {
  const waiting = underWay(book, team);
  return waiting ? make("span", { class: "coming" }, waiting < 0 ? `−${-waiting}` : `+${waiting}`) : "";
}

/** How what is owed changes by what was entered and is not shown yet. */
function underWay({ queue: { landed, entries } }, team) {
  return [...landed, ...entries].map(penaltyChange).filter((change) => change.team === team).reduce((sum, { n }) => sum + n, 0);
}

export function penaltyDoneButton(book, team, kind = "sm", look = "soft") {
  if (!book.permissions.speaksFor(team)) return "";
  const left = book.figures.owed[team] + underWay(book, team);
  const enter = () => book.enter({ kind: "done", team, n: 1 });
  return make("button", {
    class: `btn ${kind} ${left > 0 ? look : ""}`, type: "button", "data-one-done": team,
    disabled: left <= 0 || book.figures.break || Boolean(book.view.outcome),
    "aria-label": `${isolate(book.teams.name(team))}: ${say("book-one-done")}`,
    onclick: () => (left === 1 && isPlaced(book, team) ? askLastDone(book, team, enter) : enter()),
  }, icon("check", "s"), say("book-one-done"));
}

/** Big, with what it undoes written on it. */
function undo(book) {
  const unsent = unsentEntry(book);
  const last = book.log.lines.at(-1);
  if (!unsent && (!book.permissions.mayUndo || !last)) return "";
  return make("button", { class: "btn undo", type: "button", "data-key": "undo", onclick: () => undoLatest(book) },
    icon("undo", "l"), make("span", { class: "sp" }, make("b", {}, say("book-undo")),
      make("span", { class: "sm" }, unsent ? entryText(book, unsent) : last.text)));
}

function latest(book) {
  const shown = book.log.lines.slice(-(isLong ? MORE_LINES : FIRST_LINES)).reverse();
  return make("section", { class: "stack" },
    make("h3", { class: "sect" }, say("book-last")),
    make("ol", { class: "card last" },
      ...book.queue.entries.map((entry) => make("li", { class: "waits" }, make("button", { class: "to", type: "button", "data-unsent": entry.key,
        disabled: entry.key === book.queue.flying, onclick: () => takeOut(book, entry) }, icon("clock", "s"),
      make("span", { class: "sp" }, entryText(book, entry)),
      make("span", { class: "chip" }, say("book-waits")), icon("undo", "s")))).reverse(),
      ...shown.map((entry) => line(book, entry)),
      !shown.length && make("li", { class: "mut" }, say("book-empty"))),
    book.log.lines.length > FIRST_LINES && !isLong && button({ label: say("book-show-more"), kind: "sm", does: () => { isLong = true; book.show(); } }));
}

function line(book, { n, text }) {
  const parts = [make("time", { class: "num mut" }, book.log.clock(n)), make("span", { class: "sp" }, text)];
  const isOld = n < book.log.lines.length;
  return make("li", {}, book.permissions.mayUndo && isOld
    ? make("button", { class: "to", type: "button", "data-to": n, onclick: () => backTo(book, n) }, ...parts, icon("undo", "s"))
    : make("span", { class: "to" }, ...parts));
}

/** How often each face has come tonight, and what there is to say of it. */
function fairness(book) {
  const found = book.fairness;
  if (!found?.counts) return "";
  const counts = Object.values(found.counts);
  const most = Math.max(1, ...counts);
  return make("section", { class: "stack" },
    make("h3", { class: "sect" }, say("book-fairness")),
    make("div", { class: "card fair" },
      make("ol", { class: "bars" }, ...counts.map((count, i) => make("li", {},
        make("span", { class: "num xs" }, String(count)), make("meter", { min: 0, max: most, value: count, "aria-label": String(i + 1) }),
        make("b", { class: "num" }, String(i + 1))))),
      make("p", { class: "sm" }, found.sentence)));
}
