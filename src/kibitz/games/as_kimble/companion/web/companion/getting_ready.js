// The getting-ready card, before the first pop: each line is ticked by a touch, and the whole card skipped by one. It keeps nobody from
// popping, and is this phone's own: others are not asked.
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { loadItem, storeItem } from "../lib/storage.js";
import { shareText, unitName } from "./penalties.js";
import { openWarm } from "./turn/mishaps.js";

const POPS = 3;
/** The penalties that a team gets in a usual game, by simulated ones; one team in ten gets about twice as many. */
const [USUAL_PENALTIES, MANY_PENALTIES] = [6, 10];
const LINES = { home, dome, supplies, begins };

/** Nothing has happened yet but pops that loosen the dome, and remarks. */
export function isGettingReady(book) {
  const { view: { pieces }, figures: { phase, owed, done }, log: { lines: log } } = book;
  const isEmpty = ![...Object.values(owed), ...Object.values(done)].some(Boolean) && !Object.keys(pieces).some((place) => /^[tg]-/.test(place));
  return ["S", "N"].includes(phase) && isEmpty && log.every(({ code }) => /^(warm|note) /.test(code)) && !stateOf(book).isSkipped;
}

export function readyCard(book) {
  const isReady = Object.keys(LINES).every((line) => isTicked(book, line));
  return make("section", { class: "card ready", "aria-labelledby": "ready-title", "data-key": "ready" },
    make("div", { class: "row" }, make("h2", { class: "sp", id: "ready-title" }, say("ready")),
      make("button", { class: `btn ${isReady ? "pri" : "ghost"}`, type: "button", "data-key": "ready-skip", onclick: () => set(book, { isSkipped: true }) },
        isReady && icon("check", "s"), say(isReady ? "ready-done" : "ready-skip"))),
    ...Object.entries(LINES).map(([line, shown]) => shown(book, line)));
}

// The lines

function home(book, line) {
  return tickRow(book, line, say("ready-home"));
}

/** Three marks that fill. Where lots are drawn every pop goes into the book with what it showed; else the card counts. */
function dome(book, line) {
  const pops = popsOf(book);
  const dots = make("span", { class: "dots", "aria-hidden": "true" },
    ...Array.from({ length: POPS }, (_, i) => make("span", { class: i < pops ? "dot on" : "dot" })));
  const isInBook = book.figures.phase === "S";
  const touch = () => {
    if (isInBook) openWarm(book, book.view.offers.filter(({ kind }) => kind === "warm"));
    else set(book, { pops: pops < POPS ? pops + 1 : 0 });
  };
  return row(line, pops >= POPS, say("ready-dome"), say(isInBook ? "ready-dome-in-book" : "ready-dome-counted"), touch, dots,
    say("ready-dome-count", { n: pops }));
}

function supplies(book, line) {
  const { team_size: sizes, unit_factor: factor } = book.options;
  const shares = sizes.reduce((sum, size) => sum + size, 0) * factor;
  const [least, most] = [USUAL_PENALTIES, MANY_PENALTIES].map((penalties) => Math.ceil(penalties * shares));
  const each = sizes.some((size) => size * factor !== 1) ? ` ${say("ready-penalty", { shares: joinTexts(sharesOf(book)) })}` : "";
  return tickRow(book, line, say("ready-supplies", { least, most, unit: unitName(book, most) }),
    say("ready-supplies-hint", { least: USUAL_PENALTIES, most: MANY_PENALTIES }) + each);
}

/** What one penalty comes to, for teams of each size there is. */
function sharesOf(book) {
  const sizes = [...new Set(book.options.team_size)].sort((a, b) => a - b);
  return sizes.map((size) => say("ready-share", { n: shareText(book, size), size }));
}

function joinTexts(texts) {
  return new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(texts);
}

function begins(book, line) {
  const { phase, turn } = book.figures;
  return tickRow(book, line, phase === "S" ? say("keep-lots") : say("ready-begins", { team: book.teams.name(turn) }),
    phase === "S" ? say("ready-lots-hint") : "");
}

function tickRow(book, line, text, more = "") {
  const isOn = isTicked(book, line);
  return row(line, isOn, text, more, () => set(book, { ticks: { ...stateOf(book).ticks, [line]: !isOn } }));
}

function row(line, isOn, text, more, does, mark = null, spoken = "") {
  return make("button", { class: "ready-line", type: "button", role: "checkbox", "aria-checked": String(isOn), "data-ready": line, onclick: does },
    make("span", { class: "tick" }, isOn && icon("check", "s")),
    make("span", { class: "sp" }, make("b", {}, text), more && make("span", { class: "sm mut" }, more), spoken && make("span", { class: "unseen" }, spoken)),
    mark);
}

// What is ticked, on this phone

function stateOf(book) {
  return { ticks: {}, pops: 0, isSkipped: false, ...JSON.parse(loadItem(nameOf(book), "{}")) };
}

function set(book, change) {
  storeItem(nameOf(book), JSON.stringify({ ...stateOf(book), ...change }));
  book.show();
}

function nameOf(book) {
  return `kibitz-ready-${book.id}`;
}

function popsOf(book) {
  if (book.figures.phase !== "S") return stateOf(book).pops;
  return Math.min(POPS, book.log.lines.filter(({ code }) => code.startsWith("warm ")).length);
}

function isTicked(book, line) {
  return line === "dome" ? popsOf(book) >= POPS : Boolean(stateOf(book).ticks[line]);
}
