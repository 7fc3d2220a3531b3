// Pieces that travel. Before a new drawing is merged the pieces are re-keyed by the motions, so
// that a move is a transform of one element; afterwards each travels from where it was.
const SQUARE = 180;
const LONGEST = 720;
const FLIGHT = 320;
const FALL = 320;
const ARRIVE = 160;
const FADE = 80;
const EASE = "cubic-bezier(.2, .8, .2, 1)";
/** So many moves at once were missed, not made. */
const BURST = 12;

export class Motion {
  running = [];

  constructor() {
    document.addEventListener("visibilitychange", () => document.hidden && this.finish());
  }

  get isRunning() {
    return this.running.length > 0;
  }

  /** A tap, or the next thing to show, finishes what moves. */
  finish() {
    for (const animation of this.running) animation.finish();
  }

  /** Names the pieces after the places they go to; returns the way of each. */
  rekey(board, told) {
    const ways = new Map();
    told.forEach(({ motions }, step) => {
      const moving = motions.map((motion) => [motion, board.exactPiece(motion.from)]).filter(([, piece]) => piece);
      for (const [motion, piece] of moving) {
        if (!ways.has(piece)) ways.set(piece, { start: board.held?.piece === piece ? board.held : where(piece), width: piece.getBBox().width, legs: [] });
        ways.get(piece).legs.push({ step, ...motion });
        piece.id = "";
      }
      for (const [motion, piece] of moving) {
        const other = board.exactPiece(motion.to);
        if (other) other.id = "";
        piece.id = `pc-${motion.to}`;
      }
    });
    return ways;
  }

  /** After the merge: everything travels, one event at a time. Resolves when all stand still. */
  async run(board, told, ways) {
    if (!ways.size || document.hidden || told.filter(({ motions }) => motions.length).length > BURST) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      for (const piece of ways.keys()) piece.animate([{ opacity: 0 }, { opacity: 1 }], FADE);
      return;
    }
    this.travel(board, ways);
    await Promise.allSettled(this.running.map((animation) => animation.finished));
    for (const animation of this.running) animation.cancel();
    this.running = [];
  }

  travel(board, ways) {
    const legs = [];
    for (const [piece, way] of ways) {
      if (!piece.isConnected) continue;
      piece.parentNode.append(piece); // Above what it passes.
      const end = where(piece);
      const scale = way.width / (piece.getBBox().width || way.width);
      let from = way.start;
      way.legs.forEach((leg, i) => {
        const last = i === way.legs.length - 1;
        const to = last ? end : board.place(leg.to) ?? beside(board, ways, leg, from) ?? end;
        legs.push({ piece, step: leg.step, first: i === 0, last, scale: i === 0 ? scale : 1, ...journey(board, leg, from, to) });
        from = to;
      });
    }
    let delay = 0;
    for (const step of [...new Set(legs.map((leg) => leg.step))].sort((a, b) => a - b)) {
      const now = legs.filter((leg) => leg.step === step);
      keepTogether(now);
      for (const leg of now) {
        const fill = leg.first ? (leg.last ? "backwards" : "both") : leg.last ? "none" : "forwards";
        this.start(leg.piece, frames(leg), { delay, duration: leg.duration, fill });
      }
      delay += Math.max(...now.map((leg) => leg.duration));
    }
  }

  start(piece, keyframes, timing) {
    this.running.push(piece.animate(keyframes, timing));
  }
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

/** What moves in one event arrives at one time: a ball goes as fast as the man who carries it. */
function keepTogether(legs) {
  const walks = legs.filter((leg) => !leg.flies && !leg.edge).map((leg) => leg.walk);
  if (!walks.length) return;
  for (const leg of legs) if (!leg.edge) leg.duration = leg.walk = Math.max(...walks);
}

function where(piece) {
  const moved = piece.transform.baseVal.consolidate()?.matrix;
  return { x: moved?.e ?? 0, y: moved?.f ?? 0 };
}

/** From where to where, how long, and over which edge. */
function journey(board, { from: origin, to: target, via }, from, to) {
  const edge = via ? board.place(via) : null;
  const unit = (board.place(origin) ?? board.place(target))?.size ?? 50;
  const goal = edge ?? to;
  const far = Math.hypot(goal.x - from.x, goal.y - from.y) / unit;
  const flies = !board.place(origin) && !edge;
  const walk = flies ? FLIGHT : Math.min(LONGEST, Math.max(SQUARE, Math.round(far) * SQUARE));
  return { from, to, edge, flies, walk, duration: edge ? walk + FALL + ARRIVE : walk };
}

function frames({ from, to, edge, walk, duration, scale }) {
  const at = ({ x, y }, turn, size) => `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${size})`;
  if (!edge) return [{ transform: at(from, 0, scale), easing: EASE }, { transform: at(to, 0, 1) }];
  const [dx, dy] = [edge.x - from.x, edge.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const beyond = { x: edge.x + (dx / length) * 14, y: edge.y + (dy / length) * 14 };
  const fallen = (walk + FALL) / duration;
  return [
    { transform: at(from, 0, scale), opacity: 1, easing: EASE },
    { transform: at(edge, 0, scale), opacity: 1, offset: walk / duration, easing: "ease-in" },
    { transform: at(beyond, dx < 0 ? -70 : 70, scale * 0.35), opacity: 0, offset: fallen },
    { transform: at(to, 0, 1), opacity: 0, offset: fallen },
    { transform: at(to, 0, 1), opacity: 1, offset: 1 },
  ];
}
