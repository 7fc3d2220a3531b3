// What was hidden has just been shown: a card over the board says so, and goes by itself. Cards that
// lay face down are turned over on it, all together, before the board shows what came of them.
import { draw, icon, make } from "../../lib/dom.js";
import { copy } from "../marks.js";

const card = document.getElementById("reveal-card");
const stage = document.getElementById("stage");
const MIN_READING_MS = 2600;
const LETTER_MS = 55;
const MAX_READING_MS = 12000;
/** Where much was hidden, the last sentences say the most; all of it is in the log. */
const MAX_SENTENCES = 3;
/** Sounds of events that are shown on the card although nothing was hidden, where nothing else tells them. */
const GREAT = new Set(document.getElementById("stage-line") ? [] : ["try"]);
/** Undecided, it soon makes room for what is chosen next. */
const UNDECIDED_MS = 1600;
/** When the backs have been seen, when the faces are, and when the totals are counted. */
const BACKS_MS = 260;
const TURNED_AFTER_MS = BACKS_MS + 320;
const COUNTED_AFTER_MS = TURNED_AFTER_MS + 400;
let timers = [];
/** The cards that lie on it. */
let reveal = null;
/** Shows at once what is still to come of turning them over. */
let finish = null;

/** Before a view is shown: the cards it tells of are turned over. Resolves when the totals are counted. */
export async function turnOver({ events, curtain, outcome }, board) {
  const found = revealIn(events);
  const isStill = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!found || curtain || outcome || isStill || !board.svg) return;
  lay(found, board, []);
  card.classList.add("turning");
  stage.classList.add("turning-over");
  count(0);
  await new Promise((resolve) => {
    finish = () => { finish = null; resolve(null); };
    after(TURNED_AFTER_MS, () => countFrom(performance.now()));
    after(COUNTED_AFTER_MS, () => finish?.());
  });
  count(1);
  stage.classList.remove("turning-over");
  card.classList.remove("turning");
}

/** With a view: what it tells, if hidden things are among it. `next` are the places that are needed now. */
export function showLoud(events, board, next) {
  if (!events.some(({ is_loud: isLoud, sound }) => isLoud || GREAT.has(sound))) return;
  const found = revealIn(events);
  const sentences = events.slice(events.findIndex((event) => event.reveal) + 1).map(({ text }) => text);
  if (!found) {
    showRevealCard(sentences.slice(-MAX_SENTENCES), board.isBusyAbove(next));
    return;
  }
  if (found !== reveal) lay(found, board, next);
  else card.querySelectorAll(".who").forEach((who, i) => who.querySelector("svg")?.replaceWith(picture(board.piece(found.sides[i].place))));
  card.append(cameOfIt(sentences));
  if (found.sides.some(({ has_won: hasWon }) => hasWon)) closeAfter(sentences);
  else after(UNDECIDED_MS, hideRevealCard);
}

/** `low`: at the lower end of the board, where the upper one is needed. */
export function showRevealCard(sentences, low) {
  open([low ? "low" : ""], ...sentences.map((sentence) => make("p", {}, sentence)));
  closeAfter(sentences);
}

export function hideRevealCard() {
  stop();
  card.hidden = true;
  card.replaceChildren();
}

function open(looks, ...content) {
  stop();
  card.className = ["reveal-card", ...looks].join(" ").trim();
  card.replaceChildren(...content, icon("close", "s"));
  card.hidden = false;
  void card.offsetWidth; // So that the next one comes in anew.
  card.classList.add("pop");
}

function stop() {
  timers.forEach(clearTimeout);
  timers = [];
  finish?.();
  reveal = null;
}

function after(milliseconds, does) {
  timers.push(setTimeout(does, milliseconds));
}

function closeAfter(sentences) {
  after(Math.min(MAX_READING_MS, MIN_READING_MS + LETTER_MS * sentences.join(" ").length), hideRevealCard);
}

function revealIn(events) {
  return events.find((event) => event.reveal)?.reveal ?? null;
}

/** Face up; turning over is a matter of style. */
function lay(found, board, next) {
  const places = [...next, ...found.sides.map(({ place }) => place)];
  open(["reveal", ...corner(board, places)], make("p", { class: "chip" }, found.title), sidesOf(found, board));
  reveal = found;
}

function countFrom(start) {
  if (!finish) return;
  count(Math.min(1, (performance.now() - start) / (COUNTED_AFTER_MS - TURNED_AFTER_MS)));
  requestAnimationFrame(() => countFrom(start));
}

function count(part) {
  for (const total of card.querySelectorAll(".total")) total.textContent = Math.round(total.dataset.total * part);
}

function sidesOf({ sides, verdict, margin }, board) {
  const isDecided = sides.some(({ has_won: hasWon }) => hasWon);
  const [one, other] = sides.map((side) => party(side, isDecided, board));
  return make("div", { class: "parties" }, one, make("p", { class: "verdict" }, make("b", {}, verdict), make("span", {}, margin)), other);
}

/** Whom it was put down for, the card, and what it comes to. */
function party({ place, name, card: face, sum, total, has_won: hasWon }, isDecided, board) {
  const look = hasWon ? "won" : isDecided ? "beaten" : "";
  return make("div", { class: `party ${look}` },
    make("div", { class: "who" }, picture(board.piece(place)), make("b", {}, name)),
    make("div", { class: "flip" },
      make("span", { class: "back" }, document.querySelector(".top .mark").cloneNode(true)),
      make("span", { class: "face num" }, face)),
    make("p", { class: "sum num" }, `${sum} = `, make("b", { class: "total", "data-total": total }, String(total))));
}

function picture(piece) {
  return piece && draw("svg", { viewBox: "-23 -23 46 46", "aria-hidden": "true" }, copy(piece, 0, 0, piece.getBBox().width, 1));
}

/** The first sentence says it, the others what follows. */
function cameOfIt([first = "", ...others]) {
  return make("p", { class: "came" }, make("b", {}, first), " ", others.join(". "));
}

/** The end of the board that is farther from these places: left or right where it is wide, else above or below. */
function corner(board, elements) {
  const { x, y, width, height } = board.svg.viewBox.baseVal;
  const places = elements.map((element) => board.place(element)).filter(Boolean);
  const middle = (axis) => places.reduce((sum, place) => sum + place[axis], 0) / (places.length || 1);
  if (width > height) return [middle("x") < x + width / 2 ? "right" : "left"];
  return middle("y") < y + height / 2 ? ["low"] : [];
}

/** A touch or Escape: first it comes to its end, then it goes. */
function leave() {
  if (finish) finish();
  else hideRevealCard();
}

card.addEventListener("click", leave);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || card.hidden) return;
  event.stopPropagation();
  leave();
}, { capture: true });
