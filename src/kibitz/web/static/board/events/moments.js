// Moments: what the game marks among all that happens is seen for a second over the board, and felt.
// Which events they are, and by what effect they are shown, the game has said; a touch ends them.
import { draw } from "../../lib/dom.js";
import { isInstant, Wait } from "../../lib/settings/pace.js";
import { buzz } from "../../lib/sound/sound.js";

const LONG_MS = 1150;
const SHORT_MS = 750;
const EASE = "cubic-bezier(.2, .8, .2, 1)";
/** Of each effect: how many rays or crumbs fly, how far in places, which way, how long, and what the hand feels. */
const EFFECTS = {
  cheer: { bits: 26, far: 6, shape: "slip", lasts: LONG_MS, felt: [40, 60, 40, 60, 90] },
  win: { bits: 40, far: 9, shape: "slip", lasts: LONG_MS, felt: [40, 60, 40, 60, 120] },
  bite: { bits: 9, far: 1.5, shape: "crumb", lasts: SHORT_MS, felt: [30, 40, 60] },
  blast: { bits: 14, far: 2.2, shape: "ray", lasts: LONG_MS, felt: [90, 40, 60] },
  alarm: { bits: 0, far: 1.6, shape: "wave", lasts: LONG_MS, felt: [60, 80, 60] },
  rise: { bits: 7, far: 2.4, shape: "arrow", lasts: LONG_MS, felt: [20, 30, 20, 30, 60] },
  lost: { bits: 0, far: 0, shape: "slip", lasts: LONG_MS, felt: [40] },
  fall: { bits: 8, far: 1.2, shape: "crumb", lasts: SHORT_MS, felt: [70] },
};
const COLOURS = ["var(--accent)", "var(--spark)", "var(--ok)", "var(--bad)"];
const wait = new Wait();
let shown = [];

/** Shows one, its words in `room`; resolves when it is over, and at once where nobody waits for anything. */
export async function showMoment(board, { effect, title, place, amount = 0 }, room = board.stage) {
  const { lasts, felt } = EFFECTS[effect];
  clearMoments();
  buzz(felt);
  const label = showTitle(room, title, effect);
  const at = board.place(place) ?? middle(board);
  const bits = isStill() ? [] : fly(board, EFFECTS[effect], at);
  shown = [label, ...bits];
  const own = shown;
  const over = wait.begin(amount > 1 || lasts === LONG_MS ? LONG_MS : lasts);
  if (isInstant()) {
    setTimeout(() => own.forEach((each) => each.remove()), lasts);
    return;
  }
  await over;
  if (shown === own) clearMoments();
}

/** The moments of some events, the last few if there are many. */
export function momentsIn(events, most = 2) {
  return events.map(({ moment }) => moment).filter((moment) => moment && moment.effect in EFFECTS).slice(-most);
}

/** The events up to the one that ends a scene, or none: they are seen on the board as it was before. */
export function sceneIn(events) {
  const last = events.findIndex(({ moment }) => moment?.is_shown_before);
  return events.slice(0, last + 1);
}

export function clearMoments() {
  wait.end();
  for (const each of shown) each.remove();
  shown = [];
}

function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function middle(board) {
  const { x, y, width, height } = board.svg.viewBox.baseVal;
  return { x: x + width / 2, y: y + height / 2, size: Math.min(width, height) / 9 };
}

/** Words over the board. They are told elsewhere, too. */
function showTitle(room, title, effect) {
  const label = document.createElement("p");
  label.className = `moment ${effect}`;
  label.setAttribute("aria-hidden", "true");
  label.textContent = title;
  room.append(label);
  const frames = isStill() ? [{ opacity: 0 }, { opacity: 1 }]
    : [{ opacity: 0, scale: 0.6 }, { opacity: 1, scale: 1.08, offset: 0.7 }, { opacity: 1, scale: 1 }];
  label.animate(frames, { duration: isStill() ? 80 : 260, easing: EASE });
  return label;
}

/** What flies from a place. */
function fly(board, { bits, far, shape, lasts }, { x, y, size }) {
  const group = draw("g", { class: "moment-bits", "aria-hidden": "true" });
  board.layer("ours").append(group);
  const reach = far * size;
  for (let i = 0; i < (shape === "wave" ? 2 : 1) * Number(shape !== "slip"); i += 1) ring(group, { x, y, size, reach, delay: i * 380, lasts });
  for (let i = 0; i < bits; i += 1) {
    const turn = shape === "arrow" ? -90 + (i - (bits - 1) / 2) * 9 : (360 / bits) * i + 20 * Math.random();
    const length = reach * (0.55 + 0.45 * Math.random());
    const [dx, dy] = [Math.cos((turn * Math.PI) / 180) * length, Math.sin((turn * Math.PI) / 180) * length];
    const drop = shape === "slip" ? size * 1.6 : shape === "crumb" ? size * 0.5 : 0;
    const bit = shapeOf(shape, size, COLOURS[i % COLOURS.length], turn);
    group.append(bit);
    bit.animate([
      { transform: `translate(${x}px, ${y}px) scale(.4)`, opacity: 1, easing: EASE },
      { transform: `translate(${x + dx}px, ${y + dy}px) rotate(${shape === "slip" ? 2 * turn : 0}deg)`, opacity: 1, offset: 0.55, easing: "ease-in" },
      { transform: `translate(${x + dx}px, ${y + dy + drop}px) rotate(${shape === "slip" ? 3 * turn : 0}deg)`, opacity: 0 },
    ], { duration: lasts, fill: "both" });
  }
  return [group];
}

function ring(group, { x, y, size, reach, delay, lasts }) {
  const circle = draw("circle", { cx: 0, cy: 0, r: size / 2, fill: "none", stroke: "var(--spark)", "stroke-width": size * 0.12 });
  group.append(circle);
  const frames = [[0.5, 1], [(2 * reach) / size, 0]].map(([scale, opacity]) => ({ transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity }));
  circle.animate(frames, { duration: lasts * 0.6, delay, easing: EASE, fill: "both" });
}

function shapeOf(shape, size, colour, turn) {
  if (shape === "slip") return draw("rect", { x: -size * 0.09, y: -size * 0.16, width: size * 0.18, height: size * 0.32, rx: 1.5, fill: colour });
  if (shape === "crumb") return draw("circle", { r: size * (0.06 + 0.06 * Math.random()), fill: "var(--outline)", stroke: "var(--card)", "stroke-width": 1 });
  if (shape === "arrow") {
    const d = `M${-size * 0.16} ${size * 0.1}L0 ${-size * 0.1}L${size * 0.16} ${size * 0.1}`;
    return draw("path", { d, fill: "none", stroke: "var(--spark)", "stroke-width": size * 0.09, "stroke-linecap": "round", "stroke-linejoin": "round" });
  }
  const [dx, dy] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)].map((part) => part * size * 0.3);
  return draw("line", { x1: 0, y1: 0, x2: dx, y2: dy, stroke: "var(--spark)", "stroke-width": size * 0.12, "stroke-linecap": "round" });
}
