// The turn, with the whole board in the book: what the dome showed, then what the team did with it.
// What may be done comes from the server; nothing here knows a rule.
import { button } from "../../board/prompt.js";
import { ruleLink } from "../../board/refusal.js";
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { undoLatest } from "../book/undo.js";
import { die, faces } from "../dice.js";
import { UNKNOWN } from "../entries.js";
import { popAfterSentence } from "../hembo.js";
import { lotsSoFar } from "./lots.js";
import { faceOf, mishapButtons } from "./mishaps.js";
import { pieceName } from "./piece_name.js";
import { TurnBoard } from "./turn_board.js";

const POPS = ["pop", "lot", "fix"];
const CHOICES = ["enter", "move", "eat", "mine", "goal", "double", "raise", "propose", "leave", "yes", "no", "return", "colour"];
const MOVES = ["move", "eat", "mine", "goal"];
const MAX_REASONS = 3;

let board = null;
let offered = "";
let reasons = [];
/** The offer that is drawn to its end. */
let shown = null;

/** The board hears of every view, whatever is shown. */
export function takeView(book, view) {
  board ??= new TurnBoard({
    // What is shown already is meant by the first touch, the only move for one.
    touch: (offer, before) => { if (offer.actions[0] === before?.actions[0]) book.requests.send(offer.actions); },
    drawnOffer: () => shown,
    change: () => book.show(),
    explain: (element) => askReason(book, element),
  });
  board.take(view);
}

/** The board as it stands, for a page that is shown without a network. */
export const boardDrawing = () => board.drawing;

/** The board of such a page. */
export function recallBoard(book) {
  takeView(book, { ...book.view, layers: {} });
  takeView(book, { ...book.view, svg: null });
}

export function turnPage(book) {
  const offers = distinct(book.view.offers);
  forget(book, offers);
  const of = (...kinds) => offers.filter(({ kind }) => kinds.includes(kind));
  const pops = of(...POPS);
  const choices = of(...CHOICES);
  const picked = pops.length ? null : board.picker.chosenOffer ?? (choices.length === 1 ? choices[0] : null);
  shown = picked;
  return [
    heading(book),
    ...lotsSoFar(book),
    pops.length ? poppedRow(book, of) : choosing(book, choices, picked, of),
    // Where nobody has a colour there is nothing to touch.
    book.figures.phase === "S" ? "" : board.stage,
  ];
}

/** What is marked on the board, once it is on the page: before that no place of it can be measured. */
export function drawBoard() {
  if (board.stage.isConnected) board.draw(shown);
}

/** Something else is to be entered now: nothing is half chosen any more. */
function forget(book, offers) {
  const open = offers.filter(({ kind }) => [...POPS, ...CHOICES].includes(kind));
  const look = open.map(({ actions }) => actions).join();
  if (look === offered) return;
  offered = look;
  reasons = [];
  board.offer(book.view.offers.filter(({ kind }) => CHOICES.includes(kind)));
  if (book.figures.phase === "M") askReasons(book, offers, look);
}

/** Who is meant, in their colour. */
function heading(book) {
  const { figures, view } = book;
  const { wanted } = figures;
  const stray = wanted ? strayTeam(book) : "";
  const team = stray || (view.acting ?? figures.turn ?? book.order[0]);
  // A chair has no colour before it is chosen.
  const colour = book.isSeated ? team : UNKNOWN;
  const about = stray ? [say("book-stray-was", { team: book.teams.name(team) }), say("book-reset-hint")] : [book.teams.players(team), advice(book)];
  return make("div", { class: `head-card team-${colour}`, "data-key": `head-${team}` },
    book.teams.glyph(team),
    make("div", { class: "sp" },
      make("h2", {}, wanted ? say("book-reset", { number: wanted }) : titleOf(book, team)),
      make("p", { class: "sm mut" }, about.filter(Boolean).join(" · "))),
    series(book));
}

/** What is to be entered, and of whom. */
function titleOf(book, team) {
  const { figures: { phase, turn, number }, view } = book;
  const [name, other] = [team, turn ?? team].map((each) => book.teams.name(each));
  switch (phase) {
    case "N": return say("book-pops", { team: name });
    case "P": return say("book-pops-again", { team: name });
    case "M": return say("book-popped", { team: other, number });
    case "V": return say("book-votes", { team: name, other });
    case "C": return say("book-returns", { team: name, other });
    case "S": return say("book-lot", { team: name });
    case "K": return say("book-colour", { team: name });
  }
  return view.title;
}

/** Whoever popped out of turn, by the latest entry of that kind. */
function strayTeam(book) {
  return book.log.lines.findLast(({ code }) => /^[RBYG] stray /.test(code))?.code[0] ?? "";
}

function advice({ figures }) {
  if (figures.wanted) return say("book-reset-hint");
  if (figures.phase === "M") return say("book-pick");
  if (!figures.pops) return "";
  return figures.pops > 1 ? say("book-pops-many", { n: figures.pops }) : say("book-pops-one");
}

/** The pops of this turn so far, the latest flashing once, and those that are left. */
function series(book) {
  const { phase, turn, pops } = book.figures;
  if (!["P", "M"].includes(phase)) return "";
  const faces = [];
  for (const { code } of book.log.lines.slice().reverse()) {
    const [team, word, face] = code.split(" ");
    if (team !== turn) break;
    if (word === "pop") faces.unshift(Number(face));
    else if (word !== "sticky") break;
  }
  const shown = faces.slice(-3);
  return make("span", { class: "series", role: "img", "aria-label": `${say("book-series")}: ${shown.join(", ")}` },
    ...shown.map((face, i) => make("span", { class: i === shown.length - 1 ? "latest" : null, "data-key": `pop-${book.log.lines.length}-${i}` },
      die(face, "small"))),
    ...Array.from({ length: phase === "P" ? pops : 0 }, () => make("span", { class: "to-come" })));
}

// The dome

function poppedRow(book, of) {
  const enter = (offer) => () => {
    const send = (seq) => book.requests.send(offer.actions, { seq });
    // A die that is popped back is not yet the pop that makes it too late for the sentence.
    if (offer.kind === "fix") send();
    else popAfterSentence(book, send);
  };
  const choices = of(...POPS).map((offer) => ({ face: faceOf(offer), label: offer.label, does: enter(offer) }));
  const leave = of("leave");
  return make("div", { class: "stack" },
    make("h3", {}, say("book-shown")),
    faces(choices, say("book-shown")),
    ...leave.map((offer) => button({ label: offer.label, does: () => book.requests.send(offer.actions) })),
    mishapButtons(book, of));
}

// What the team did

function choosing(book, offers, picked, of) {
  if (!offers.length) return make("p", { class: "mut" }, book.view.hint);
  const isOn = (offer) => offer.actions[0] === picked?.actions[0];
  return make("div", { class: "stack choosing" },
    make("div", { class: "row sure-row" },
      book.permissions.mayUndo && book.figures.phase === "M" && button({ label: say("book-pop-again"), icon: "undo", does: () => undoLatest(book) }),
      make("button", { class: "btn pri sp", type: "button", "data-key": "sure", disabled: !picked,
        onclick: () => picked && book.requests.send(picked.actions) },
      picked ? sure(book, picked) : book.figures.phase === "M" ? say("book-choose") : titleOf(book, book.view.acting ?? book.order[0]))),
    make("div", { class: "moves", role: "group", "aria-label": say("book-legal") }, ...offers.map((offer) => move(book, offer, isOn(offer)))),
    ...reasons.map((reason) => notLegal(book, reason)),
    mishapButtons(book, of));
}

function move(book, offer, isOn) {
  const { path, prompts, label, actions } = offer;
  const size = book.view.pieces[path[0]]?.size ?? 1;
  const met = book.view.pieces[path.at(-1)];
  // A colour is worn by nobody before it is taken.
  const team = offer.kind === "colour" ? path[0].slice(2) : offer.seat;
  return make("button", { class: `move${isOn ? " on" : ""}`, type: "button", "aria-pressed": String(isOn), "data-text": actions[0],
    onclick: () => { board.choose(offer); book.show(); } },
  offer.kind === "colour" ? book.teams.colourPeg(team) : book.teams.peg(team, size),
  make("span", { class: "sp" }, make("b", {}, wayText(book, offer) ?? label), make("span", { class: "sm" }, prompts.at(-1))),
  met && met.seat !== offer.seat && icon("after", "s"), met && met.seat !== offer.seat && book.teams.peg(met.seat, met.size));
}

/** Which piece, as one says it over a board whose holes have no numbers. */
function wayText(book, { kind, path, seat }) {
  return MOVES.includes(kind) ? pieceName(book, seat, path[0]) : null;
}

function sure(book, offer) {
  const way = wayText(book, offer);
  return way ? say("book-moved", { way }) : offer.label;
}

// What is not legal, and why

/** Of the pieces that cannot move. */
async function askReasons(book, offers, look) {
  const team = book.figures.turn;
  const able = new Set(offers.map(({ path }) => path[0]));
  const stuck = onBoard(book, team).filter((element) => !able.has(element)).slice(0, MAX_REASONS);
  const found = await Promise.all(stuck.map(async (element) => ({ element, ...await book.requests.explain([element], team) })));
  if (look !== offered || !found.length) return;
  reasons = found.filter(({ message }) => message);
  book.show();
}

/** Of what was touched and cannot be chosen; between turns nobody asks for a reason. */
async function askReason(book, element) {
  const team = book.view.acting ?? book.figures.turn;
  if (!team || !book.isUp || book.figures.phase !== "M") return;
  const look = offered;
  const found = await book.requests.explain([element], team);
  if (look !== offered || !found.message) return;
  reasons = [{ element, ...found }];
  board.refused = found;
  book.show();
  book.pass(found.message);
}

/** The places on the track and in the goal where a team has a piece. */
function onBoard(book, team) {
  return Object.entries(book.view.pieces).filter(([place, { seat }]) => seat === team && /^(t-\d+|g-[RBYG]\d)$/.test(place)).map(([place]) => place);
}

function notLegal(book, { element, message, rule, rule_url: address }) {
  const owner = book.view.pieces[element]?.seat;
  return make("div", { class: "card not-legal" },
    make("div", { class: "row sm" }, make("span", { class: "chip bad" }, say("book-not-legal")), owner && make("b", {}, pieceName(book, owner, element))),
    make("p", { class: "sm mut" }, message, " ", ruleLink({ rule, rule_url: address })));
}

/** The same action by another way of touching it is the same here. */
function distinct(offers) {
  return [...new Map([...offers].reverse().map((offer) => [offer.actions[0], offer])).values()].reverse();
}
