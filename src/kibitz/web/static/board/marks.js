// What the page draws over a position: what may be chosen, what is, what was refused, what moved
// last. Every mark is drawn twice, first its halo, so that it shows on any ground.
import { draw } from "../lib/dom.js";

const MARK = "var(--mark)";
const HALO = "var(--mark-halo)";
const BAD = "var(--bad)";
const WARN = "var(--warn)";
const LABELLED = new Set(["push", "pull", "off", "dot"]);
/** What takes the place of the ring or disc by which a place shows that it may be chosen. */
const INSTEAD = new Set([...LABELLED, "attack", "area", "quiet"]);
const LINES = { beam, anchor: capsule, way, pass: flight, risk: flight, area };
const BADGES = { put, attack, arrow, pass: receiver, risk: warnings };
const STRIPES = "stripes";

/** The marks of the path so far. `shown` is an offer to be drawn to its end, if there is one. */
export function drawPath(board, picker, shown) {
  clear(board, "hints", "targets");
  const path = shown ? shown.path : picker.path;
  const offers = shown ? [shown] : picker.left();
  const marks = picker.choice ? shared(offers, path.length) : every(offers, path.length);
  // What is attacked stays so while it is being decided; how, the arrow's owner has said by then.
  if (shown) marks.push(...shown.marks.filter(({ kind, after }) => kind === "attack" && after < path.length).map((mark) => ({ ...mark, text: "" })));
  const touched = new Set(path);
  const next = shown ? new Set() : picker.next();
  const hints = board.layer("hints");
  const targets = board.layer("targets");
  for (const kind of Object.keys(LINES)) {
    for (const mark of marks.filter((each) => each.kind === kind)) hints.append(...LINES[kind](board, mark, touched));
  }
  const anchors = marks.filter(({ kind }) => kind === "anchor").flatMap(({ places }) => places);
  const ends = marks.filter(({ kind }) => ["off", "attack"].includes(kind)).map(({ places }) => places.at(-1));
  const shaped = new Set([...anchors, ...ends]);
  for (const element of touched) {
    if (!shaped.has(element)) targets.append(...selected(board, element), ...points(board, element));
  }
  if (shown && !movesNoPiece(shown)) targets.append(...ghost(board, path));
  for (const mark of marks.filter(({ kind }) => LABELLED.has(kind))) {
    if (!(shown && mark.places.at(-1) === path.at(-1) && mark.kind !== "off")) targets.append(...label(board, mark));
  }
  const given = new Set(marks.filter(({ kind }) => INSTEAD.has(kind)).map(({ places }) => places.at(-1)));
  for (const element of next) {
    if (!given.has(element)) targets.append(...target(board, element));
  }
  const chosen = new Set([...touched, ...next]);
  const signed = new Set(marks.filter(({ kind, text }) => kind === "attack" && text).map(({ places }) => places.at(-1)));
  for (const mark of marks.filter(({ kind }) => kind in BADGES)) {
    targets.append(...BADGES[mark.kind](board, mark, chosen, signed));
  }
}

/** For the drawing to keep: what striped squares are filled with. */
export function stripes() {
  const look = { id: STRIPES, width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return draw("defs", {}, draw("pattern", look,
    draw("rect", { width: 8, height: 8, fill: HALO, opacity: 0.35 }),
    draw("rect", { width: 3, height: 8, fill: MARK, opacity: 0.75 })));
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

/** Yellow: where the latest move began and ended, with a pale ghost at its beginning. Round places have a ring. */
export function drawLast(board, motions) {
  clear(board, "last");
  const layer = board.layer("last");
  const places = new Set(motions.flatMap(({ from, to }) => [board.ground(from), board.ground(to)]));
  for (const element of places) layer.append(...around(board, element, ({ x, y, size }) => {
    if (isHole(board, element)) return [draw("circle", { cx: x, cy: y, r: size * 0.46, fill: "none", stroke: "var(--last)", "stroke-width": size * 0.1 })];
    const side = size * 0.94;
    return [draw("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, rx: size * 0.18, fill: "var(--last)", opacity: 0.8 })];
  }));
  for (const { from, to } of motions) {
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
  twin.querySelector(".points")?.remove();
  for (const attribute of ["id", "role", "aria-label"]) twin.removeAttribute(attribute);
  twin.setAttribute("transform", `translate(${x} ${y}) scale(${scale.toFixed(3)})`);
  twin.setAttribute("opacity", opacity);
  return twin;
}

/** What a piece says at its rim is not lost under the ring around it. */
function points(board, element) {
  const piece = board.piece(element);
  const shown = piece?.querySelector(".points")?.cloneNode(true);
  shown?.setAttribute("transform", piece.getAttribute("transform"));
  return shown ? [shown] : [];
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
      const ring = { cx: x, cy: y, r: size * 0.48 };
      return twice("circle", ring, { "stroke-width": 6 }, { "stroke-width": 3, "stroke-dasharray": "9 5.4" });
    }
    return [draw("circle", { cx: x, cy: y, r: size * 0.15, fill: HALO, stroke: MARK, "stroke-width": 3 })];
  });
}

/** A ring around a round piece, a box around everything else. */
function selected(board, element) {
  return around(board, element, (place) => {
    const [halo, mark] = [{ "stroke-width": 7 }, { "stroke-width": 4 }];
    if (isLong(place) || !isRound(board.piece(element))) return twice("rect", box(place), halo, mark);
    return twice("circle", { cx: place.x, cy: place.y, r: place.size * 0.48 }, halo, mark);
  });
}

/** By the first shape of its picture. */
function isRound(piece) {
  const first = piece?.querySelector("circle, rect, use");
  const used = first?.localName === "use" ? document.getElementById(first.getAttribute("href").slice(1)) : null;
  return (used?.querySelector("circle, rect") ?? first)?.localName === "circle";
}

/** Whether a place is round in the drawing, and no square. */
function isHole(board, element) {
  const { rx, width, height } = board.hits.get(element);
  return rx.baseVal.value * 2 >= Math.max(width.baseVal.value, height.baseVal.value);
}

function isLong({ width, height, size }) {
  return Math.max(width, height) > size * 1.3;
}

/** Where nothing is drawn before, no piece will go there: it is only touched. */
function movesNoPiece({ marks, path }) {
  return marks.some(({ kind, places }) => ["quiet", "area"].includes(kind) && places.at(-1) === path.at(-1));
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

/** The way of a run, under the pieces. */
function way(board, { places }) {
  const points = places.map((element) => board.place(element)).filter(Boolean).map(({ x, y }) => `${x} ${y}`);
  const line = { d: `M${points.join("L")}`, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return points.length > 1 ? twice("path", line, { "stroke-width": 9 }, { "stroke-width": 4.5 }) : [];
}

/** A ball through the air: dashed, or dotted in orange where somebody could jump in. */
function flight(board, { kind, places: [from, to] }) {
  const a = board.place(from);
  const b = board.place(to);
  if (!a || !b) return [];
  const line = { d: `M${a.x} ${a.y}L${b.x} ${b.y}`, "stroke-linecap": "round" };
  const look = kind === "risk" ? { stroke: WARN, "stroke-dasharray": "3 7" } : { "stroke-dasharray": "10 6" };
  return twice("path", line, { "stroke-width": 8 }, { "stroke-width": 4, ...look });
}

function area(board, { places }) {
  return around(board, places.at(-1), ({ x, y, width, height }) => [draw("rect", {
    x: x - width / 2 + 2, y: y - height / 2 + 2, width: width - 4, height: height - 4, rx: 9,
    fill: `url(#${STRIPES})`, stroke: MARK, "stroke-width": 2,
  })]);
}

/** Four corners around what is attacked, and how. */
function attack(board, { places, text }) {
  return around(board, places.at(-1), ({ x, y, size }) => {
    const [far, arm] = [size * 0.54, size * 0.27];
    const corner = (dx, dy) => `M${x + dx * far} ${y + dy * arm}V${y + dy * far}H${x + dx * arm}`;
    const corners = { d: [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([dx, dy]) => corner(dx, dy)).join(""), "stroke-linecap": "round",
      "stroke-linejoin": "round" };
    const badge = text ? sign(x + size * 0.375, y - size * 0.375, size * 0.46, text) : [];
    return [...twice("path", corners, { "stroke-width": 8 }, { "stroke-width": 4 }), ...badge];
  });
}

/** From rim to rim: who goes for whom. */
function arrow(board, { places: [from, to] }) {
  const a = board.place(from);
  const b = board.place(to);
  if (!a || !b) return [];
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  return [draw("path", {
    d: "M-13-6H0V-13L15 0L0 13V6H-13Z", fill: MARK, stroke: HALO, "stroke-width": 3, "stroke-linejoin": "round",
    transform: `translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2}) rotate(${angle}) scale(${Math.max(a.size, b.size) / 48})`,
  })];
}

/** A piece where it will stand. */
function put(board, { places: [to], text: from }) {
  const piece = board.exactPiece(from);
  return piece ? around(board, to, ({ x, y, size }) => [copy(piece, x, y, size * 0.9, 0.75)]) : [];
}

function receiver(board, { places: [, to] }, chosen) {
  if (!chosen.has(to)) return [];
  return around(board, to, ({ x, y, size }) => sign(x - size * 0.355, y - size * 0.355, size * 0.4, "pass"));
}

/** A triangle on everybody who could jump in; at the other corner of those who have a sign already. */
function warnings(board, mark, chosen, signed) {
  const signs = mark.places.slice(2).flatMap((element) => around(board, element, ({ x, y, size }) => [
    draw("g", { transform: `translate(${x + size * (signed.has(element) ? -0.355 : 0.355)} ${y - size * 0.355}) scale(${size / 48})` },
      draw("path", { d: "M0-10L10.5 8.5H-10.5Z", fill: WARN, stroke: HALO, "stroke-width": 2, "stroke-linejoin": "round" }),
      draw("path", { d: "M0-3.5V2.5M0 5.6V5.7", stroke: HALO, "stroke-width": 2.4, "stroke-linecap": "round" })),
  ]));
  return [...receiver(board, mark, chosen), ...signs];
}

/** An icon on a disc. */
function sign(x, y, size, name) {
  const shown = document.getElementById(`i-${name}`) ? name : "act";
  const side = size * 0.68;
  return [
    draw("circle", { cx: x, cy: y, r: size / 2, fill: MARK, stroke: HALO, "stroke-width": 2 }),
    draw("use", {
      href: `#i-${shown}`, x: x - side / 2, y: y - side / 2, width: side, height: side,
      fill: "none", stroke: HALO, "stroke-width": 3, "stroke-linecap": "round", "stroke-linejoin": "round",
    }),
  ];
}

function label(board, mark) {
  if (mark.kind === "off") return exit(board, mark);
  return around(board, mark.places.at(-1), ({ x, y, size }) => {
    const push = mark.kind === "push";
    const counts = mark.kind === "dot" && mark.text;
    const r = size * (push ? 0.3 : counts ? (mark.text === "0" ? 0.18 : 0.22) : mark.text ? 0.28 : 0.2);
    const disc = push
      ? { fill: MARK, stroke: HALO, "stroke-width": 2.5 }
      : { fill: HALO, stroke: MARK, "stroke-width": counts ? 3 : 3.5 };
    return [draw("circle", { cx: x, cy: y, r, ...disc }), ...words(mark.text, x, y, push ? HALO : MARK, counts ? r * 1.25 : 14)];
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
