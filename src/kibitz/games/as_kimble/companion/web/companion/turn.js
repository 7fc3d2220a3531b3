// The turn, with the whole board in the book: what the dome showed, then what the team did with it.
// What may be done comes from the server; nothing here knows a rule.
import { button } from "../board/prompt.js";
import { ruleLink } from "../board/refusal.js";
import { make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { die, faces } from "./dice.js";
import { UNKNOWN } from "./entries.js";
import { popAfterSentence } from "./hembo.js";
import { faceOf, mishapButtons } from "./mishaps.js";

const POPS = ["pop", "lot", "fix"];
const CHOICES = ["enter", "move", "eat", "mine", "goal", "double", "raise", "propose", "leave", "yes", "no", "return", "colour"];
const MOST_REASONS = 3;

/** The move that was touched. */
let chosen = "";
let offered = "";
let reasons = [];

export function turnPage(book) {
  const offers = distinct(book.view.offers);
  forget(book, offers);
  const of = (...kinds) => offers.filter(({ kind }) => kinds.includes(kind));
  return [
    heading(book),
    of(...POPS).length ? popped(book, of) : choosing(book, of(...CHOICES), of),
  ];
}

/** Something else is to be entered now: nothing is half chosen any more. */
function forget(book, offers) {
  const look = offers.filter(({ kind }) => [...POPS, ...CHOICES].includes(kind)).map(({ actions }) => actions).join();
  if (look === offered) return;
  offered = look;
  chosen = "";
  reasons = [];
  if (book.figures.phase === "M") askReasons(book, offers, look);
}

/** Who is meant, in their colour. */
function heading(book) {
  const { figures, view } = book;
  const team = view.acting ?? figures.turn ?? book.order[0];
  const name = book.name(team);
  const values = { team: book.name(figures.turn ?? team), number: figures.number };
  const title = {
    N: () => say("book-pops", { team: name }), P: () => say("book-pops-again", { team: name }), M: () => say("book-popped", values),
    V: () => say("book-votes", { team: name, other: values.team }), C: () => say("book-returns", { team: name, other: values.team }),
    S: () => say("book-lot", { team: name }), K: () => say("book-colour", { team: name }),
  }[figures.phase];
  const wanted = figures.wanted;
  // A chair has no colour before it is chosen.
  const colour = ["S", "K"].includes(figures.phase) ? UNKNOWN : team;
  return make("div", { class: `head-card team-${colour}`, "data-key": `head-${team}` },
    book.glyph(team),
    make("div", { class: "sp" },
      make("h2", {}, wanted ? say("book-reset", { number: wanted }) : title ? title() : view.title),
      make("p", { class: "sm mut" }, [book.players(team), advice(book)].filter(Boolean).join(" · "))),
    figures.phase === "M" && die(figures.number, "small"));
}

function advice({ figures }) {
  if (figures.wanted) return say("book-reset-hint");
  if (figures.phase === "M") return say("book-pick");
  if (!figures.pops) return "";
  return figures.pops > 1 ? say("book-pops-many", { n: figures.pops }) : say("book-pops-one");
}

// The dome

function popped(book, of) {
  const enter = (offer) => () => {
    const send = (seq) => book.send(offer.actions, { seq });
    // A die that is popped back is not yet the pop that makes it too late for the sentence.
    if (offer.kind === "fix") send();
    else popAfterSentence(book, send);
  };
  const choices = of(...POPS).map((offer) => ({ face: faceOf(offer), label: offer.label, does: enter(offer) }));
  const leave = of("leave");
  return make("div", { class: "stack" },
    make("h3", {}, say("book-shown")),
    faces(choices, say("book-shown")),
    ...leave.map((offer) => button({ label: offer.label, does: () => book.send(offer.actions) })),
    mishapButtons(book, of));
}

// What the team did

function choosing(book, offers, of) {
  const [only] = offers;
  const picked = offers.find(({ actions }) => actions[0] === chosen) ?? (offers.length === 1 ? only : null);
  if (!offers.length) return make("p", { class: "mut" }, book.view.hint);
  return make("div", { class: "stack choosing" },
    make("div", { class: "row" }, make("h3", { class: "sp" }, say("book-legal")), make("span", { class: "chip num" }, String(offers.length))),
    make("div", { class: "moves", role: "group", "aria-label": say("book-legal") }, ...offers.map((offer) => move(book, offer, offer === picked))),
    ...reasons.map(notLegal),
    mishapButtons(book, of),
    make("div", { class: "row sure-row" },
      book.mayUndo && book.figures.phase === "M" && button({ label: say("book-pop-again"), icon: "undo", does: () => book.undo() }),
      make("button", { class: "btn pri sp", type: "button", "data-key": "sure", disabled: !picked, onclick: () => picked && book.send(picked.actions) },
        picked ? sure(picked) : say("book-choose"))));
}

function move(book, offer, isOn) {
  const { path, prompts, label, actions } = offer;
  const size = book.view.pieces[path[0]]?.size ?? 1;
  const met = book.view.pieces[path.at(-1)];
  return make("button", { class: `move${isOn ? " on" : ""}`, type: "button", "aria-pressed": String(isOn), "data-text": actions[0],
    onclick: () => { chosen = actions[0]; book.show(); } },
  book.peg(offer.seat, size),
  make("span", { class: "sp" }, make("b", {}, way(offer) ?? label), make("span", { class: "sm" }, prompts.at(-1))),
  met && met.seat !== offer.seat && book.peg(met.seat, met.size));
}

/** From where to where, by the numbers on the board. */
function way({ kind, path }) {
  if (!["move", "eat", "mine", "goal"].includes(kind)) return null;
  return say("book-way", { from: place(path[0]), to: place(path.at(-1)) });
}

function place(element) {
  const [, kind, number] = element.match(/^(t|g)-[RBYG]?(\d+)$/);
  return kind === "g" ? say("book-goal", { n: number }) : number;
}

function sure(offer) {
  const went = way(offer);
  return went ? say("book-moved", { way: went }) : offer.label;
}

// What is not legal, and why

/** Of the pieces that cannot move. */
async function askReasons(book, offers, look) {
  const team = book.figures.turn;
  const able = new Set(offers.map(({ path }) => path[0]));
  const stuck = onBoard(book, team).filter((element) => !able.has(element)).slice(0, MOST_REASONS);
  const found = await Promise.all(stuck.map(async (element) => ({ element, ...await book.explain([element], team) })));
  if (look !== offered || !found.length) return;
  reasons = found.filter(({ message }) => message);
  book.show();
}

/** The places on the track and in the goal where a team has a piece. */
function onBoard(book, team) {
  return Object.entries(book.view.pieces).filter(([place, { seat }]) => seat === team && /^(t-\d+|g-[RBYG]\d)$/.test(place)).map(([place]) => place);
}

function notLegal({ element, message, rule, rule_url: address }) {
  return make("div", { class: "card not-legal" },
    make("div", { class: "row sm" }, make("span", { class: "chip bad" }, say("book-not-legal")), make("b", {}, place(element))),
    make("p", { class: "sm mut" }, message, " ", ruleLink({ rule, rule_url: address })));
}

/** The same action by another way of touching it is the same here. */
function distinct(offers) {
  return [...new Map([...offers].reverse().map((offer) => [offer.actions[0], offer])).values()].reverse();
}
