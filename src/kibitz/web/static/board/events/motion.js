// Pieces that travel. Before a new drawing is merged the pieces are re-keyed by the motions, so
// that a move is a transform of one element; afterwards each travels from where it was, in the
// manner that its motion names.
import { draw } from "../../lib/dom.js";

const EASE = "cubic-bezier(.2, .8, .2, 1)";
const RISE = "cubic-bezier(.2, .6, .4, 1)";
const SINK = "cubic-bezier(.6, 0, .8, .4)";
/** A square or a grid, and the longest way. */
const [STEP_MS, PUSH_MS, MAX_SLIDE_MS] = [140, 180, 720];
const [HOP_MS, MAX_HOPS_MS] = [110, 900];
const [FLIGHT_MS, HOME_MS, FALL_MS, ARRIVE_MS, KNOCK_OUT_MS] = [320, 400, 320, 160, 260];
const [PRESS_MS, RATTLE_MS, SETTLE_MS] = [90, 450, 200];
const FADE_MS = 80;
const CHANGE_MS = 1400;
/** So many moves at once were missed, not made. */
const MAX_MOVES = 12;
/** How much faster it goes when more waits to be shown. */
const HURRY_RATE = 1.6;
const NOTHING = { pieces: new Set(), down: new Set(), counts: new Map() };
const FRAMES_BY_KIND = { step: slide(STEP_MS), push: slide(PUSH_MS), fly: arc(FLIGHT_MS, 0.34), home: arc(HOME_MS, 0.2), hop };

export class Motion {
  running = [];
  /** Resolves when all stands still. */
  still = Promise.resolve();
  /** What was on the board before the merge, what of it lay on the ground, and what was counted there. */
  before = NOTHING;

  constructor() {
    document.addEventListener("visibilitychange", () => document.hidden && this.finish());
    // A touch of the board is the match's to judge.
    document.addEventListener("pointerdown", (/** @type {any} */ { target }) => { if (!target.closest?.("[data-el]")) this.finish(); });
  }

  get isRunning() {
    return this.running.length > 0;
  }

  /** A tap, or the next thing to show, finishes what moves. */
  finish() {
    for (const animation of this.running) animation.finish();
  }

  /** More is waiting to be shown. */
  hurry() {
    for (const animation of this.running) animation.updatePlaybackRate(HURRY_RATE);
  }

  /** Before anything new is shown: the die is pressed and rattles, if that is what happened first. */
  async rattle(board, events) {
    const first = events.flatMap(({ motions }) => motions)[0];
    const dome = first?.how === "roll" && board.svg ? board.exactPiece(first.from) : null;
    if (!dome || !isSeen()) return;
    const timing = { duration: PRESS_MS + RATTLE_MS, fill: "forwards" };
    this.start(dome, pressFrames(middle(dome)), timing);
    const die = dome.querySelector(".die");
    if (die) this.start(die, shakeFrames(middle(die)), timing);
    await this.stop();
  }

  /** Names the pieces after the places they go to; returns the way of each. */
  rekey(board, events) {
    const ways = new Map();
    const displaced = new Map();
    const [pieces, down] = [".pc", ".pc.ko"].map((kind) => new Set(board.svg.querySelectorAll(kind)));
    this.before = { pieces, down, counts: boardCounts(board) };
    events.forEach(({ motions }, step) => {
      const moving = motions.map((motion) => [motion, displaced.get(motion.from) ?? board.exactPiece(motion.from)]).filter(([, piece]) => piece);
      for (const [motion, piece] of moving) {
        if (!ways.has(piece)) ways.set(piece, { start: board.held?.piece === piece ? board.held : where(piece), width: piece.getBBox().width, legs: [] });
        ways.get(piece).legs.push({ step, ...motion });
        if (displaced.get(motion.from) === piece) displaced.delete(motion.from);
        piece.id = "";
      }
      for (const [motion, piece] of moving) {
        const other = board.exactPiece(motion.to);
        if (other) displaced.set(motion.to, other);
        if (other) other.id = "";
        piece.id = `pc-${motion.to}`;
      }
    });
    for (const [place, piece] of displaced) this.join(board, ways, place, piece);
    return ways;
  }

  /** Whoever was there stays; who came to it is seen to come, and is one with it then. */
  join(board, ways, place, piece) {
    const coming = board.exactPiece(place);
    if (!ways.has(coming)) return;
    ways.get(coming).joins = coming.parentNode;
    coming.id = "";
    piece.id = `pc-${place}`;
  }

  /** After the merge: everything travels, one event at a time. Resolves when all stand still. */
  async run(board, events, ways) {
    const { before } = this;
    this.before = NOTHING;
    if (document.hidden || events.filter(({ motions }) => motions.length).length > MAX_MOVES) return;
    const fallen = [...board.svg.querySelectorAll(".pc.ko")].filter((piece) => before.pieces.has(piece) && !before.down.has(piece));
    if (!isSeen()) {
      for (const piece of [...ways.keys(), ...fallen]) (piece.querySelector(".die") ?? piece).animate([{ opacity: 0 }, { opacity: 1 }], FADE_MS);
      return;
    }
    const delay = this.travel(board, ways);
    for (const piece of fallen) this.knockOut(piece, delay);
    if (delay) this.showLate(board, before.pieces, ways, delay);
    const told = new Set(events.filter(({ moment }) => moment?.amount).map(({ moment }) => moment.seat));
    showChanges(board, before.counts, told, delay);
    if (this.isRunning) await this.stop();
    for (const [piece, { joins }] of ways) if (joins) piece.remove();
  }

  /** Shows events on the board as it is, before anything new is merged: pieces go where they went. */
  async perform(board, events) {
    const ways = this.rekey(board, events);
    this.before = NOTHING;
    for (const [piece, way] of ways) put(piece, goal(board, ways, way));
    if (isSeen() && this.travel(board, ways)) await this.stop();
  }

  /** Waits until nothing moves. */
  stop() {
    const ending = this.running;
    this.still = Promise.allSettled(ending.map((animation) => animation.finished)).then(() => {
      for (const animation of ending) animation.cancel();
      this.running = this.running.filter((animation) => !ending.includes(animation));
    });
    return this.still;
  }

  /** Returns how long it takes. */
  travel(board, ways) {
    const legs = [];
    for (const [piece, way] of ways) {
      way.joins?.append(piece);
      if (!piece.isConnected) continue;
      if (!way.legs.some(({ how }) => how === "roll")) piece.parentNode.append(piece); // Above what it passes.
      legs.push(...legsOf(board, ways, piece, way));
    }
    let delay = 0;
    for (const step of [...new Set(legs.map((leg) => leg.step))].sort((a, b) => a - b)) {
      const now = legs.filter((leg) => leg.step === step);
      keepTogether(now);
      for (const leg of now) {
        const fill = leg.first ? (leg.last ? "backwards" : "both") : leg.last ? "none" : "forwards";
        this.start(leg.piece, leg.frames, { delay, duration: leg.duration, fill });
      }
      delay += Math.max(...now.map((leg) => leg.duration));
    }
    return delay;
  }

  /** What was not there before comes when the others have arrived; who joined is one with it then. */
  showLate(board, before, ways, delay) {
    const late = [...board.svg.querySelectorAll(".pc[id]")].filter((piece) => !before.has(piece) && !ways.has(piece));
    for (const piece of late) this.start(piece, [{ opacity: 0 }, { opacity: 1 }], { delay, duration: ARRIVE_MS, fill: "backwards" });
  }

  /** Falls over where it stands. */
  knockOut(piece, delay) {
    const at = where(piece);
    const frames = [-90, 12, 0].map((turn, i) => ({ transform: placement(at, turn, i ? 1 : 1.12), easing: EASE }));
    this.start(piece, frames, { delay, duration: KNOCK_OUT_MS, fill: "backwards" });
  }

  start(piece, keyframes, timing) {
    this.running.push(piece.animate(keyframes, timing));
  }
}

/** The numbers that are kept on the board. */
function boardCounts(board) {
  return new Map([...board.svg.querySelectorAll("[data-count]")].map((each) => [each, Number(each.dataset.count)]));
}

/** Where a drawing has room beside a count; else above it. */
export function countPlace(count) {
  const [x, y] = (count.dataset.at ?? "").split(" ").map(Number);
  const { x: left, y: top, width, height } = count.getBBox();
  return count.dataset.at ? { x, y } : { x: left + width / 2, y: top + height * 0.3 };
}

/** By how much they have changed: rises from each, and nobody has to wait for it. What is told by itself is left out. */
function showChanges(board, before, told, delay) {
  for (const [each, count] of boardCounts(board)) {
    const change = count - before.get(each);
    if (!change || told.has(each.dataset.seat)) continue;
    const { x, y } = countPlace(each);
    const sign = draw("text", { class: `change ${change > 0 ? "more" : "less"}`, x, y },
      `${change > 0 ? "+" : "\u2212"}${Math.abs(change)}`);
    board.layer("ours").append(sign);
    const frames = [[0, 0], [1, -4], [1, -10], [0, -16]].map(([opacity, dy]) => ({ opacity, transform: `translateY(${dy}px)` }));
    sign.animate(frames, { delay, duration: CHANGE_MS, fill: "both" }).finished.then(() => sign.remove(), () => sign.remove());
  }
}

/** Whether anybody sees it, and wants to. */
function isSeen() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The way of a piece, event by event. */
function legsOf(board, ways, piece, way) {
  const end = way.joins ? board.place(way.legs.at(-1).to) ?? way.start : where(piece);
  const scale = way.joins ? 1 : way.width / (piece.getBBox().width || way.width);
  let from = way.start;
  return way.legs.map((leg, i) => {
    const [first, last] = [i === 0, i === way.legs.length - 1];
    const to = last ? end : board.place(leg.to) ?? beside(board, ways, leg, from) ?? end;
    const went = leg.how === "roll" ? settleDie(piece) : FRAMES_BY_KIND[leg.how](board, leg, from, to, first ? scale : 1);
    from = to;
    return { piece, step: leg.step, how: leg.how, first, last, ...went };
  });
}

/** Where something is carried to that has no place of its own: as far as whoever carries it. */
function beside(board, ways, { step }, from) {
  for (const { legs } of ways.values()) {
    const carrier = legs.find((leg) => leg.step === step && board.place(leg.from) && board.place(leg.to));
    if (!carrier) continue;
    const [a, b] = [board.place(carrier.from), board.place(carrier.to)];
    return { x: from.x + b.x - a.x, y: from.y + b.y - a.y };
  }
  return null;
}

/** What walks in one event arrives at one time: a ball goes as fast as the man who carries it. */
function keepTogether(legs) {
  const walk = legs.filter(({ walks }) => walks);
  for (const leg of walk) leg.duration = Math.max(...walk.map(({ duration }) => duration));
}

/** Where the way of a piece ends, on a board that does not show it yet. */
function goal(board, ways, way) {
  const { to, step } = way.legs.at(-1);
  return board.place(to) ?? beside(board, ways, { step }, way.start) ?? way.start;
}

function put(piece, { x, y }) {
  const { a = 1, b = 0, c = 0, d = 1 } = piece.transform.baseVal.consolidate()?.matrix ?? {};
  piece.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${x} ${y})`);
}

function where(piece) {
  const moved = piece.transform.baseVal.consolidate()?.matrix;
  return { x: moved?.e ?? 0, y: moved?.f ?? 0 };
}

function middle(element) {
  const { x, y, width, height } = element.getBBox();
  return { x: x + width / 2, y: y + height / 2 };
}

function placement({ x, y }, turn = 0, size = 1) {
  return `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${size})`;
}

function far(from, to) {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

// The manners: each gives the frames of a leg and how long it takes

function slide(pace) {
  return (board, { from: origin, to: target, via }, from, to, scale) => {
    const edge = via ? board.place(via) : null;
    const unit = (board.place(origin) ?? board.place(target))?.size ?? 50;
    const squares = Math.max(1, Math.round(far(from, edge ?? to) / unit));
    const duration = Math.min(MAX_SLIDE_MS, squares * pace);
    if (edge) return overTheEdge(from, edge, to, duration, scale);
    return { duration, walks: true, frames: [{ transform: placement(from, 0, scale), easing: EASE }, { transform: placement(to) }] };
  };
}

function overTheEdge(from, edge, to, walk, scale) {
  const length = far(from, edge) || 1;
  const [dx, dy] = [(edge.x - from.x) / length, (edge.y - from.y) / length];
  const beyond = { x: edge.x + dx * 14, y: edge.y + dy * 14 };
  const duration = walk + FALL_MS + ARRIVE_MS;
  const fallen = (walk + FALL_MS) / duration;
  const frames = [
    { transform: placement(from, 0, scale), opacity: 1, easing: EASE },
    { transform: placement(edge, 0, scale), opacity: 1, offset: walk / duration, easing: "ease-in" },
    { transform: placement(beyond, dx < 0 ? -70 : 70, scale * 0.35), opacity: 0, offset: fallen },
    { transform: placement(to), opacity: 0, offset: fallen },
    { transform: placement(to), opacity: 1, offset: 1 },
  ];
  return { duration, frames };
}

/** Up and down again, higher the farther it goes. */
function arc(duration, height) {
  return (board, leg, from, to, scale) => ({ duration, frames: leap(from, to, far(from, to) * height, [scale, 1]) });
}

/** From place to place; from where its way ends before its target it goes home. */
function hop(board, { through, via }, from, to, scale) {
  const steps = [from, ...[...through, ...(via ? [via] : [])].map((place) => board.place(place) ?? to), ...(via ? [] : [to])];
  const hops = steps.length - 1;
  const walk = Math.min(MAX_HOPS_MS, hops * HOP_MS);
  const duration = walk + (via ? HOME_MS : 0);
  const frames = [];
  for (let i = 0; i < hops; i += 1) {
    const sizes = i === hops - 1 && !via ? [scale, 1] : [scale, scale];
    frames.push(...leap(steps[i], steps[i + 1], far(steps[i], steps[i + 1]) * 0.4, sizes, [(i * walk) / hops / duration, ((i + 1) * walk) / hops / duration]));
  }
  if (via) frames.push(...leap(steps.at(-1), to, far(steps.at(-1), to) * 0.2, [scale, 1], [walk / duration, 1]));
  return { duration, frames };
}

/** One jump, between two moments. */
function leap(from, to, height, /** @type {number[]} */ [before, after], /** @type {number[]} */ [begins, ends] = [0, 1]) {
  const top = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - height };
  return [
    { transform: placement(from, 0, before), offset: begins, easing: RISE },
    { transform: placement(top, 0, ((before + after) / 2) * 1.08), offset: (begins + ends) / 2, easing: SINK },
    { transform: placement(to, 0, after), offset: ends },
  ];
}

// The die

/** About its own middle: pushed aside, turned, smaller or larger. */
function about({ x, y }, /** @type {number[]} */ [dx, dy] = [0, 0], turn = 0, size = 1) {
  return `translate(${x + dx}px, ${y + dy}px) rotate(${turn}deg) scale(${size}) translate(${-x}px, ${-y}px)`;
}

/** Down, and up again with a shake that dies away. */
function pressFrames(at) {
  const down = PRESS_MS / (PRESS_MS + RATTLE_MS);
  const shake = [[2, -1], [-2, 1.5], [1.5, 1], [-1, -1], [0.5, 0.5]];
  return [
    { transform: about(at), easing: EASE },
    { transform: about(at, [0, 1], 0, 0.93), offset: down },
    ...shake.map((aside, i) => ({ transform: about(at, aside, 0, 1), offset: down + ((i + 1) / 6) * (1 - down) })),
    { transform: about(at) },
  ];
}

/** Thrown from side to side, over and over. */
function shakeFrames(at) {
  const throws = [[0, 5, 0, 0.92], [-13, -11, 160, 0.86], [12, -9, 330, 1.06], [-10, 10, 520, 0.84], [13, 7, 700, 1.05], [-8, -12, 880, 0.88],
    [6, 3, 1030, 0.96]];
  return [{ transform: about(at) }, ...throws.map(([dx, dy, turn, size]) => ({ transform: about(at, [dx, dy], turn, size) }))];
}

/** Rolls to where it lies; nothing else of the dome moves. */
function settleDie(dome) {
  const die = dome.querySelector(".die");
  if (!die) return { duration: 0, frames: [] };
  const at = middle(die);
  const frames = [[6, 3, -50, 1.05], [-2, -1, 9, 1.05], [0, 0, 0, 1]]
    .map(([dx, dy, turn, size]) => ({ transform: about(at, [dx, dy], turn, size), easing: EASE }));
  return { piece: die, duration: SETTLE_MS, frames };
}
