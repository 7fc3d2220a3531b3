// What the page draws over a position: what may be chosen, what is, what was refused, what moved
// last. Every mark is drawn twice, first its halo, so that it shows on any ground.
import { draw } from "./element.js";

const MARK = "var(--mark)";
const HALO = "var(--mark-halo)";
const BAD = "var(--bad)";
const LABELLED = new Set(["push", "pull", "off", "dot"]);

/** The marks of the path so far. `shown` is an offer to be drawn to its end, if there is one. */
export function drawPath(board, picker, shown) {
  clear(board, "hints", "targets");
  const path = shown ? shown.path : picker.path;
  const offers = shown ? [shown] : picker.left();
  const marks = picker.choice ? shared(offers, path.length) : every(offers, path.length);
  const touched = new Set(path);
  const given = new Set();
  const hints = board.layer("hints");
  const targets = board.layer("targets");
  for (const mark of marks.filter(({ kind }) => kind === "beam")) hints.append(...beam(board, mark, touched));
  for (const mark of marks.filter(({ kind }) => kind === "anchor")) hints.append(...capsule(board, mark));
  const anchors = marks.filter(({ kind }) => kind === "anchor").flatMap(({ places }) => places);
  const exits = marks.filter(({ kind }) => kind === "off").map(({ places }) => places.at(-1));
  const shaped = new Set([...anchors, ...exits]);
  for (const element of touched) {
    if (!shaped.has(element)) targets.append(...selected(board, element));
  }
  if (shown) targets.append(...ghost(board, path));
  for (const mark of marks.filter(({ kind }) => LABELLED.has(kind))) {
    const element = mark.places.at(-1);
    given.add(element);
    if (!(shown && element === path.at(-1) && mark.kind !== "off")) targets.append(...label(board, mark));
  }
  if (shown) return;
  for (const element of picker.next()) {
    if (!given.has(element)) targets.append(...target(board, element));
  }
}

/** While something is dragged: where it may be dropped. */
export function drawDrops(board, elements) {
  clear(board, "hints", "targets");
  for (const element of elements) board.layer("targets").append(...target(board, element));
}

/** Red: the place that was refused, and the one that is the reason. */
export function drawRefusal(board, { at = "", because = "" } = {}) {
  clear(board, "refuse");
  const layer = board.layer("refuse");
  if (because && because !== at) layer.append(...dashedBox(board, because));
  if (at) layer.append(...cross(board, at));
}

/** Yellow: where the latest move began and ended, with a pale ghost at its beginning. */
export function drawLast(board, motions) {
  clear(board, "last");
  const layer = board.layer("last");
  for (const { from, to } of motions) {
    for (const element of [from, to]) layer.append(...around(board, element, ({ x, y, size }) => {
      const side = size * 0.94;
      return [draw("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, rx: size * 0.18, fill: "var(--last)", opacity: 0.8 })];
    }));
    const moved = board.piece(to);
    const taken = motions.some((other) => other.to === from);
    if (moved && !taken) layer.append(...around(board, from, ({ x, y, size }) => [copy(moved, x, y, size * 0.68, 0.2)]));
  }
}

export function clear(board, ...layers) {
  for (const name of layers) board.layer(name)?.replaceChildren();
}

/** A picture of a piece, to be put somewhere else. */
export function copy(piece, x, y, width, opacity) {
  const scale = width / (piece.getBBox().width || width);
  const twin = piece.cloneNode(true);
  for (const attribute of ["id", "role", "aria-label"]) twin.removeAttribute(attribute);
  twin.setAttribute("transform", `translate(${x} ${y}) scale(${scale.toFixed(3)})`);
  twin.setAttribute("opacity", opacity);
  return twin;
}

function around(board, element, shapes) {
  const place = board.place(element);
  return place ? shapes(place) : [];
}

/** The halo and the mark itself: the same shape twice. */
function twice(tag, shape, halo, mark) {
  return [draw(tag, { fill: "none", stroke: HALO, ...shape, ...halo }), draw(tag, { fill: "none", stroke: MARK, ...shape, ...mark })];
}

function box({ x, y, width, height, size }) {
  // A square around squares; around anything longer a box of its shape.
  const [w, h] = isLong({ width, height, size }) ? [width - 4, height - 4] : [size - 2, size - 2];
  return { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 13 };
}

function target(board, element) {
  return around(board, element, (place) => {
    const { x, y, size } = place;
    if (isLong(place)) {
      return twice("rect", box(place), { "stroke-width": 5 }, { "stroke-width": 3, "stroke-dasharray": "9 5.4" });
    }
    if (board.piece(element)) {
      const ring = { cx: x, cy: y, r: size * 0.46 };
      return twice("circle", ring, { "stroke-width": 6 }, { "stroke-width": 3, "stroke-dasharray": "9 5.4" });
    }
    return [draw("circle", { cx: x, cy: y, r: size * 0.15, fill: HALO, stroke: MARK, "stroke-width": 3 })];
  });
}

function selected(board, element) {
  return around(board, element, (place) => twice("rect", box(place), { "stroke-width": 7 }, { "stroke-width": 4 }));
}

function isLong({ width, height, size }) {
  return Math.max(width, height) > size * 1.3;
}

function ghost(board, path) {
  const piece = board.piece(path.at(-2) ?? path[0]);
  if (!piece || board.piece(path.at(-1))) return [];
  return around(board, path.at(-1), ({ x, y, size }) => size < 30 ? [] : [copy(piece, x, y, size * 0.68, 0.6)]);
}

function beam(board, { places: [from, to] }, touched) {
  const a = board.place(from);
  const b = board.place(to);
  if (!a || !b) return [];
  const line = { x1: a.x, y1: a.y, x2: b.x, y2: b.y, "stroke-linecap": "round" };
  const chosen = touched.has(to);
  const dots = chosen ? { "stroke-width": 5 } : { "stroke-width": 3, "stroke-dasharray": "2 8" };
  return twice("line", line, { "stroke-width": 13, opacity: 0.75 }, dots);
}

function capsule(board, { places: [from, to] }) {
  const a = board.place(from);
  const b = board.place(to);
  if (!a || !b) return [];
  // A line of no length draws no round ends everywhere.
  const line = { x1: a.x, y1: a.y, x2: b.x + 0.01, y2: b.y, "stroke-linecap": "round" };
  return [
    ...twice("line", line, { "stroke-width": a.size * 1.06 }, { "stroke-width": a.size * 0.96 }),
    draw("line", { ...line, stroke: "var(--accent-soft)", "stroke-width": a.size * 0.8 }),
  ];
}

function label(board, mark) {
  if (mark.kind === "off") return exit(board, mark);
  return around(board, mark.places.at(-1), ({ x, y, size }) => {
    const push = mark.kind === "push";
    const r = mark.text ? size * (push ? 0.3 : 0.28) : size * 0.2;
    const disc = push
      ? { fill: MARK, stroke: HALO, "stroke-width": 2.5 }
      : { fill: HALO, stroke: MARK, "stroke-width": 3.5 };
    return [draw("circle", { cx: x, cy: y, r, ...disc }), ...words(mark.text, x, y, push ? HALO : MARK)];
  });
}

/** An arrow over the edge. Where there is little room outside, its foot stands inside. */
function exit(board, { places: [from, to], text }) {
  const a = board.place(from);
  const b = board.place(to);
  if (!a || !b) return [];
  const angle = Math.round(Math.atan2(b.y - a.y, b.x - a.x) / (Math.PI / 4)) * 45;
  const [dx, dy] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const scale = Math.max(0.68, Math.min(1, b.size / 32));
  const inwards = Math.max(0, 16 * scale - b.size / 2);
  const [x, y] = [b.x - dx * inwards, b.y - dy * inwards];
  return [
    draw("path", {
      d: "M-16-15H2L16 0L2 15H-16Z", transform: `translate(${x} ${y}) rotate(${angle}) scale(${scale})`,
      fill: MARK, stroke: HALO, "stroke-width": 2.5, "stroke-linejoin": "round",
    }),
    ...words(text, x - dx * 3 * scale, y - dy * 3 * scale, HALO, Math.max(11.5, 14 * scale)),
  ];
}

function words(text, x, y, fill, size = 14) {
  if (!text) return [];
  const letters = draw("text", {
    x, y: y + size * 0.36, "text-anchor": "middle", "font-size": size, "font-weight": 800, "font-family": "system-ui, sans-serif", fill,
  });
  letters.textContent = text;
  return [letters];
}

/** On a piece the ring goes around it, and the cross to its corner. */
function cross(board, element) {
  return around(board, element, ({ x, y, size }) => {
    if (!board.piece(element)) return badge(x, y, Math.max(size * 0.3, 11));
    const ring = twice("circle", { cx: x, cy: y, r: size * 0.46 }, { "stroke-width": 7 }, { stroke: BAD, "stroke-width": 4 });
    return [...ring, ...badge(x + size * 0.33, y - size * 0.33, size * 0.19)];
  });
}

function badge(x, y, r) {
  const [arm, width] = [r * 0.46, Math.max(r * 0.23, 2.4)];
  return [
    draw("circle", { cx: x, cy: y, r, fill: "var(--card)", stroke: BAD, "stroke-width": width }),
    draw("path", {
      d: `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x + arm} ${y - arm}L${x - arm} ${y + arm}`,
      stroke: BAD, "stroke-width": width, "stroke-linecap": "round",
    }),
  ];
}

function dashedBox(board, element) {
  return around(board, element, (place) =>
    twice("rect", box(place), { "stroke-width": 7 }, { stroke: BAD, "stroke-width": 4, "stroke-dasharray": "6 5" }));
}

function every(offers, after) {
  const marks = offers.flatMap((offer) => offer.marks).filter((mark) => mark.after === after);
  return [...new Map(marks.map((mark) => [JSON.stringify(mark), mark])).values()];
}

/** Where several end alike, only what they have in common. */
function shared(offers, after) {
  const sets = offers.map((offer) => new Set(offer.marks.map((mark) => JSON.stringify(mark))));
  return every(offers, after).filter((mark) => sets.every((set) => set.has(JSON.stringify(mark))));
}
