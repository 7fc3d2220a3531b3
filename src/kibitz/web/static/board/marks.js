// What the page draws over a position: what may be chosen, what is, what was refused, what moved
// last. Pictures have the same (core/marks.py), from the same table of looks and sizes.
import { draw } from "../lib/dom.js";

const { looks: LOOKS, sizes: SIZES, units: UNITS, outlines: OUTLINES, stripes: STRIPES, font: FONT, ...KINDS }
  = JSON.parse(document.getElementById("mark-shapes").textContent);
const MARK = "var(--mark)";
const HALO = "var(--mark-halo)";
const BAD = "var(--bad)";
const LABELLED = new Set(KINDS.labelled);
/** What takes the place of the ring or disc by which a place shows that it may be chosen. */
const INSTEAD = new Set(KINDS.insteadOfRing);
const LINES = { beam, anchor: capsule, way, pass: flight, risk: flight, area };
const BADGES = { put, attack, arrow, pass: receiver, risk: warnings };

/** The marks of the path so far. `shown` is an offer to be drawn to its end, if there is one. */
export function drawPath(board, picker, shown) {
  clear(board, "hints", "targets");
  const path = shown ? shown.path : picker.path;
  const offers = shown ? [shown] : picker.matching();
  const marks = picker.choice ? sharedMarks(offers, path.length) : every(offers, path.length);
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
    if (!shaped.has(element)) targets.append(...selection(board, element), ...points(board, element));
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
  const defs = draw("defs");
  defs.innerHTML = STRIPES;
  return defs;
}

/** While something is dragged: where it may be dropped, and along which lines. */
export function drawDrops(board, drops) {
  clear(board, "hints", "targets");
  const beams = every([...drops.values()].flat(), 1).filter(({ kind }) => kind === "beam");
  for (const mark of beams) board.layer("hints").append(...beam(board, mark, new Set()));
  for (const element of drops.keys()) board.layer("targets").append(...target(board, element));
}

/** Red: the place that was refused, and the one that is the reason. */
export function drawRefusal(board, { at = "", because = "" } = {}) {
  clear(board, "refuse");
  const layer = board.layer("refuse");
  if (because && because !== at) layer.append(...dashedBox(board, because));
  if (at) layer.append(...cross(board, at));
}

/** An arrow for what is advised: the way of what moves, and what moves it. None without an offer. */
export function drawAdvice(board, offer) {
  clear(board, "advice");
  const layer = board.layer("advice");
  if (!offer || !layer) return;
  const marks = offer.marks.filter(({ after }) => after === offer.path.length);
  for (const mark of marks.filter(({ kind }) => kind === "beam")) layer.append(...beam(board, mark, new Set(offer.path)));
  const way = marks.find(({ kind }) => kind === "way")?.places ?? offer.path.slice(-2);
  const points = way.map((element) => board.place(element)).filter(Boolean);
  if (points.length > 1) layer.append(...longArrow(points));
  else if (points.length) layer.append(...selection(board, way.find((element) => board.place(element))));
}

/** Along these points; its head ends in the middle of the last one. */
function longArrow(points) {
  const [from, to] = points.slice(-2);
  const [angle, head] = [Math.atan2(to.y - from.y, to.x - from.x), to.size * SIZES["advice-head"]];
  const [cos, sin] = [head * Math.cos(angle), head * Math.sin(angle)];
  const at = (back, aside) => `${to.x - back * cos - aside * sin} ${to.y - back * sin + aside * cos}`;
  const shaft = [...points.slice(0, -1).map(({ x, y }) => `${x} ${y}`), at(0.8, 0)];
  const line = { d: `M${shaft.join("L")}`, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return [...shapes("advice", "path", line), ...shapes("advice-head", "path", { d: `M${at(0, 0)}L${at(1, 0.55)}L${at(1, -0.55)}Z` })];
}

/**
 * Yellow: where the latest moves began and ended, with a pale ghost at the beginning of one, or the way of each where
 * there were several. Round places have a ring. `marks` are what goes with it.
 */
export function drawLast(board, motions, marks = []) {
  clear(board, "last");
  const layer = board.layer("last");
  for (const { kind, places } of marks) layer.append(...between(board, places, (a, b) => shapes(`last-${kind}`, "line", line(a, b), a.size)));
  const ways = waysOf(board, motions);
  if (motions.length > 1) for (const places of ways) layer.append(...lastWay(board, places));
  const places = new Set(ways.flatMap((each) => [each[0], each.at(-1)]));
  for (const element of places) layer.append(...shapesAt(board, element, (place) => {
    if (isRound(board.hits.get(element))) return shapes("last-ring", "circle", circle(place, "last-ring"), place.size);
    return shapes("last", "rect", { ...box(place, "last-box"), rx: place.size * SIZES["last-corner"] });
  }));
  for (const { from, to } of motions.length > 3 ? [] : motions) {
    const moved = board.piece(to);
    const taken = motions.some((other) => other.to === from);
    if (moved && !taken) layer.append(...shapesAt(board, from, ({ x, y, size }) => [copy(moved, x, y, size * 0.68, 0.2)]));
  }
}

/** The places that each piece went by, in order: one that moves on adds to its way. What is carried goes with its carrier. */
function waysOf(board, motions) {
  const ways = [];
  for (const { from, to, through, via } of motions) {
    const [start, ...rest] = [from, ...through, ...(via ? [via] : []), to].map((element) => board.ground(element));
    const isCarried = start !== from && ways.some((each) => each.some((place, i) => place === start && each[i + 1] === rest[0]));
    const way = ways.find((each) => each.at(-1) === start);
    if (way && !isCarried) way.push(...rest);
    else if (!isCarried) ways.push([start, ...rest]);
  }
  return ways;
}

function lastWay(board, elements) {
  const points = elements.map((element) => board.place(element)).filter(Boolean);
  if (points.length < 2) return [];
  const shape = { d: `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return shapes("last-way", "path", shape, points[0].size);
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

function shapesAt(board, element, shapes) {
  const place = board.place(element);
  return place ? shapes(place) : [];
}

/** A shape once for each part of its look; `size` where strokes are as wide as a place. */
function shapes(look, tag, shape, size = 0) {
  return LOOKS[look].map(({ width, ...part }) => draw(tag, { ...shape, ...part, ...(width && { "stroke-width": size * width }) }));
}

function circle({ x, y, size }, share) {
  return { cx: x, cy: y, r: size * SIZES[share] };
}

function box({ x, y, width, height, size }, share) {
  // A square around squares; around anything longer a box of its shape.
  const [w, h] = (isLong({ width, height, size }) ? [width, height] : [size, size]).map((length) => length * SIZES[share]);
  return { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: UNITS["box-corner"] };
}

function target(board, element) {
  return shapesAt(board, element, (place) => {
    if (isLong(place)) return shapes("target-box", "rect", box(place, "target-box"));
    const look = board.piece(element) ? "target" : "free";
    return shapes(look, "circle", circle(place, look));
  });
}

/** A ring around a round piece, a box around everything else. */
function selection(board, element) {
  return shapesAt(board, element, (place) => {
    if (isLong(place) || !isRound(board.piece(element))) return shapes("selection", "rect", box(place, "selection-box"));
    return shapes("selection", "circle", circle(place, "target"));
  });
}

/** Whether a piece or a place is round, as the drawing says. */
function isRound(element) {
  return element?.dataset.shape === "round";
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
  return shapesAt(board, path.at(-1), ({ x, y, size }) => size < 30 ? [] : [copy(piece, x, y, size * 0.68, 0.6)]);
}

/** A line of no length draws no round ends everywhere, so it has a little. */
function line(a, b) {
  return { x1: a.x, y1: a.y, x2: b.x + 0.01, y2: b.y, "stroke-linecap": "round" };
}

/** What goes from one place to another, where both are. */
function between(board, [from, to], drawn) {
  const [a, b] = [board.place(from), board.place(to)];
  return a && b ? drawn(a, b) : [];
}

function beam(board, { places }, touched) {
  return between(board, places, (a, b) => shapes(touched.has(places[1]) ? "beam-chosen" : "beam", "line", line(a, b)));
}

function capsule(board, { places }) {
  return between(board, places, (a, b) => shapes("anchor", "line", line(a, b), a.size));
}

/** The way of a run, under the pieces. */
function way(board, { places }) {
  const points = places.map((element) => board.place(element)).filter(Boolean).map(({ x, y }) => `${x} ${y}`);
  const path = { d: `M${points.join("L")}`, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return points.length > 1 ? shapes("way", "path", path) : [];
}

/** A ball through the air: dashed, or dotted in orange where somebody could jump in. */
function flight(board, { kind, places }) {
  return between(board, places, (a, b) => shapes(kind, "path", { d: `M${a.x} ${a.y}L${b.x} ${b.y}`, "stroke-linecap": "round" }));
}

function area(board, { places }) {
  const inset = UNITS["area-inset"];
  return shapesAt(board, places.at(-1), ({ x, y, width, height }) => shapes("area", "rect", {
    x: x - width / 2 + inset, y: y - height / 2 + inset, width: width - 2 * inset, height: height - 2 * inset, rx: UNITS["area-corner"],
  }));
}

/** Four corners around what is attacked, and how. */
function attack(board, { places, text }) {
  return shapesAt(board, places.at(-1), ({ x, y, size }) => {
    const [far, arm] = [size * SIZES["attack-far"], size * SIZES["attack-arm"]];
    const corner = (dx, dy) => `M${x + dx * far} ${y + dy * arm}V${y + dy * far}H${x + dx * arm}`;
    const corners = { d: [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([dx, dy]) => corner(dx, dy)).join(""), "stroke-linecap": "round",
      "stroke-linejoin": "round" };
    const aside = size * SIZES["attack-badge-at"];
    const badge = text ? sign(x + aside, y - aside, size * SIZES["attack-badge"], text) : [];
    return [...shapes("attack", "path", corners), ...badge];
  });
}

/** From rim to rim: who goes for whom. */
function arrow(board, { places }) {
  return between(board, places, (a, b) => {
    const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
    const transform = `translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2}) rotate(${angle}) scale(${Math.max(a.size, b.size) / UNITS.square})`;
    return shapes("arrow", "path", { d: OUTLINES.arrow, transform });
  });
}

/** A piece where it will stand. */
function put(board, { places: [to], text: from }) {
  const piece = board.exactPiece(from);
  return piece ? shapesAt(board, to, ({ x, y, size }) => [copy(piece, x, y, size * 0.9, 0.75)]) : [];
}

function receiver(board, { places: [, to] }, chosen) {
  if (!chosen.has(to)) return [];
  return shapesAt(board, to, ({ x, y, size }) => sign(x - size * SIZES["badge-at"], y - size * SIZES["badge-at"], size * SIZES.badge, "pass"));
}

/** A triangle on everybody who could jump in; at the other corner of those who have a sign already. */
function warnings(board, mark, chosen, signed) {
  const signs = mark.places.slice(2).flatMap((element) => shapesAt(board, element, ({ x, y, size }) => {
    const aside = size * SIZES["badge-at"];
    const transform = `translate(${signed.has(element) ? x - aside : x + aside} ${y - aside}) scale(${size / UNITS.square})`;
    return [draw("g", { transform }, ...["warning", "warning-sign"].flatMap((name) => shapes(name, "path", { d: OUTLINES[name] })))];
  }));
  return [...receiver(board, mark, chosen), ...signs];
}

/** An icon on a disc. */
function sign(x, y, size, name) {
  const shown = document.getElementById(`i-${name}`) ? name : "act";
  const side = size * SIZES.icon;
  return [
    ...shapes("badge", "circle", { cx: x, cy: y, r: size / 2 }),
    ...shapes("icon", "use", { href: `#i-${shown}`, x: x - side / 2, y: y - side / 2, width: side, height: side }),
  ];
}

function label(board, { kind, places, text }) {
  if (kind === "off") return exit(board, { places, text });
  return shapesAt(board, places.at(-1), (place) => {
    let look = kind === "push" ? "push" : "pull";
    let share = look === "push" || !text ? look : "labelled";
    let size = UNITS.text;
    if (kind === "dot" && text) {
      [look, share] = ["count", text === "0" ? "count-none" : "count"];
      size = place.size * SIZES[share] * SIZES["count-text"];
    }
    if (board.loose(places.at(-1))) return beside(place, text);
    return [...shapes(look, "circle", circle(place, share)), ...words(text, place.x, place.y, look === "push" ? HALO : MARK, size)];
  });
}

/** A ring around what lies there, and the number at its rim. */
function beside({ x, y, size }, text) {
  const aside = size * SIZES["badge-at"];
  const corner = { x: x + aside, y: y - aside, size };
  return [
    ...shapes("target", "circle", circle({ x, y, size }, "target")),
    ...shapes("count", "circle", circle(corner, "count")),
    ...words(text, corner.x, corner.y, MARK, size * SIZES.count * SIZES["count-text"]),
  ];
}

/** An arrow over the edge. Where there is little room outside, its foot stands inside. */
function exit(board, { places, text }) {
  return between(board, places, (a, b) => {
    const angle = Math.round(Math.atan2(b.y - a.y, b.x - a.x) / (Math.PI / 4)) * 45;
    const [dx, dy] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const scale = Math.max(0.68, Math.min(1, b.size / 2 / UNITS.exit));
    const inwards = Math.max(0, UNITS.exit * scale - b.size / 2);
    const [x, y] = [b.x - dx * inwards, b.y - dy * inwards];
    return [
      ...shapes("exit", "path", { d: OUTLINES.exit, transform: `translate(${x} ${y}) rotate(${angle}) scale(${scale})` }),
      ...words(text, x - dx * 3 * scale, y - dy * 3 * scale, HALO, Math.max(11.5, UNITS.text * scale)),
    ];
  });
}

function words(text, x, y, fill, size) {
  if (!text) return [];
  return [draw("text", { x, y: y + size * SIZES.baseline, "text-anchor": "middle", "font-size": size, "font-weight": 800, "font-family": FONT, fill }, text)];
}

/** On a piece the ring goes around it, and the cross to its corner. */
function cross(board, element) {
  return shapesAt(board, element, ({ x, y, size }) => {
    if (!board.piece(element)) return badge(x, y, Math.max(size * 0.3, 11));
    return [...shapes("refused", "circle", { cx: x, cy: y, r: size * 0.46 }), ...badge(x + size * 0.33, y - size * 0.33, size * 0.19)];
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
  return shapesAt(board, element, (place) => shapes("reason", "rect", box(place, "selection-box")));
}

function every(offers, after) {
  const marks = offers.flatMap((offer) => offer.marks).filter((mark) => mark.after === after);
  return [...new Map(marks.map((mark) => [JSON.stringify(mark), mark])).values()];
}

/** Where several end alike, only what they have in common. */
function sharedMarks(offers, after) {
  const sets = offers.map((offer) => new Set(offer.marks.map((mark) => JSON.stringify(mark))));
  return every(offers, after).filter((mark) => sets.every((set) => set.has(JSON.stringify(mark))));
}
