// The party screen beside its board: what each team owes and has done, whose turn it is, what there is to be
// done, and what happened last. All of it is made anew from a view; only the numbers know what they were.
import { draw, icon, make, nodes } from "../../lib/dom.js";
import { isolate, say } from "../../lib/i18n.js";
import { litresEach } from "../litres.js";

/** So many of the latest; style cuts what has no room. */
const MAX_EVENTS = 5;
/** So many letters, and a name is written smaller. */
const LONG_NAME_LETTERS = 9;
const LONG_LINE_LETTERS = 60;
const [FIRST_POP, POP, CHOICE] = ["N", "P", "M"];
const GROWS = [{ scale: 1 }, { scale: 1.35 }, { scale: 1 }];
const GROWN = { duration: 700, easing: "ease-out" };
const CROWN = "M-15 8V-8L-7-1L0-13L7-1L15-8V8Z";
const find = (id) => document.getElementById(id);

/** What a team called itself, or else its colour. */
export function teamName(seats, book, seat) {
  return book?.teams[seat]?.name || seats.find((each) => each.seat === seat)?.name || seat;
}

export function showTeams({ figures, seats, outcome }, book) {
  const list = find("teams");
  const owed = new Map([...list.querySelectorAll("[data-owed]")].map((each) => [each.dataset.owed, each.textContent]));
  const isCounting = figures && book?.depth !== "ledger" && !outcome;
  list.replaceChildren(...seats.map((each) =>
    plate(each, figures, book, isCounting && figures.turn === each.seat, outcome?.winners.includes(each.seat))));
  for (const each of list.querySelectorAll("[data-owed]")) {
    if (owed.has(each.dataset.owed) && owed.get(each.dataset.owed) !== each.textContent && isMoving()) each.animate(GROWS, GROWN);
  }
}

function plate(seat, figures, book, isOn, hasWon) {
  const { name, players, wins } = book?.teams[seat.seat] ?? { name: "", players: [], wins: 0 };
  const isSeated = !["S", "K"].includes(figures?.phase);
  const people = players.length ? players : seat.members.filter(Boolean);
  const under = [name && name !== seat.name ? seat.name : "", people.map(isolate).join(", ")].filter(Boolean).join(" · ");
  const owed = figures?.owed[seat.seat];
  const looks = [isOn && "on", owed > 99 && "long", hasWon && "won"].filter(Boolean);
  return make("li", { class: ["team", `team-${seat.seat}`, ...looks].join(" "), "aria-current": isOn ? "true" : null },
    make("span", { class: "glyph" }, hasWon && crown(), nodes(seat.glyph)),
    make("div", { class: "who" },
      make("b", { class: `name${name.length > LONG_NAME_LETTERS ? " long" : ""}` }, name || seat.name),
      under && make("span", { class: "players mut" }, under),
      figures && make("span", { class: "done num" }, say("party-done", { n: figures.done[seat.seat] }), winsBadge(wins + Number(Boolean(hasWon)))),
      figures?.litres && isSeated && make("span", { class: "litres num mut" }, litresEach(figures, seat.seat))),
    figures && make("p", { class: "owed" },
      make("b", { class: "number num", "data-owed": seat.seat }, String(owed)),
      make("span", { class: "mut" }, say("party-owed"))));
}

/** So many matches of the night; none are not counted. */
function winsBadge(n) {
  return n ? make("span", { class: "wins", "aria-label": `${say("book-tonight")}: ${n}` }, icon("flag", "s"), String(n)) : "";
}

function crown() {
  return draw("svg", { class: "crown", viewBox: "-17 -15 34 25", "aria-hidden": "true" }, draw("path", { d: CROWN }));
}

/** Whose turn it is and what they do. In a book without a board nobody knows, and where others have to answer
 * that is the duty. */
export function showTurn({ figures, seats, status, outcome }, book) {
  const turn = find("turn");
  const seat = seats.find((each) => each.seat === figures?.turn);
  const told = seat && doing(figures);
  turn.hidden = Boolean(outcome || book?.depth === "ledger" || !status[0] || (seat && !told));
  if (!told) {
    turn.replaceChildren(make("b", { class: "whose" }, status[0] ?? ""));
    return;
  }
  turn.replaceChildren(
    make("span", { class: "label mut" }, told.label),
    make("span", { class: "glyph" }, nodes(seat.glyph)),
    make("b", { class: "whose" }, teamName(seats, book, seat.seat)),
    make("span", { class: "mut" }, told.text));
}

function doing({ phase, pops, number }) {
  if (phase === FIRST_POP || phase === POP) return { label: say("party-next"), text: say(["party-pops-1", "party-pops-2", "party-pops-3"][pops - 1]) };
  return phase === CHOICE ? { label: say("party-plays"), text: say("party-number", { number }) } : null;
}

/** The newest first; who comes and goes is no headline where something happened in the match. */
export function showEvents(entries, notes) {
  const told = [...entries.map(({ n, text }) => ({ after: n, text, isMove: true })), ...notes].filter(({ text }) => text);
  const ordered = told.map((each, i) => ({ ...each, i })).sort((a, b) => b.after - a.after || b.i - a.i);
  const head = ordered.find(({ isMove }) => isMove);
  const latest = (head ? [head, ...ordered.filter((each) => each !== head)] : ordered).slice(0, MAX_EVENTS);
  const lines = latest.length ? latest.map(({ text }) => text) : [say("no-moves")];
  find("events").replaceChildren(...lines.map((text) => make("li", { class: text.length > LONG_LINE_LETTERS ? "long" : null }, text)));
}

/** One thing, and how many seconds there are for it, where that is known. */
export function showAlert(duty, seats, left) {
  const panel = find("duty");
  const look = JSON.stringify(duty);
  if (panel.dataset.look !== look) {
    panel.dataset.look = look;
    panel.hidden = !duty;
    panel.className = `duty ${duty?.kind ?? ""}`;
    panel.replaceChildren(...(duty ? dutyShown(duty, seats) : []));
  }
  const seconds = panel.querySelector(".seconds");
  if (!seconds) return;
  seconds.hidden = !left;
  seconds.textContent = left ? String(Math.ceil(left)) : "";
}

function dutyShown({ seats: named, title, text, motto }, seats) {
  const glyphs = seats.filter(({ seat }) => named.includes(seat)).map(({ glyph }) => nodes(glyph));
  return [
    make("span", { class: "glyph" }, ...glyphs),
    make("p", {}, make("b", {}, title), make("span", {}, text), motto ? make("span", { class: "motto" }, motto) : ""),
    make("span", { class: "seconds num", "aria-hidden": "true", hidden: true }),
  ];
}

function isMoving() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
