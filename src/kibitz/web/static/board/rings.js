// Orange rings: here is something to be touched.
import { draw } from "../lib/dom.js";

const RINGS = "rings";

export function drawRings(board, places) {
  clearRings(board);
  const found = places.map((element) => ({ element, box: board.place(element) })).filter(({ box }) => box);
  board.layer("ours").append(draw("g", { class: RINGS }, ...found.flatMap(ring)));
}

export function clearRings(board) {
  board.layer("ours")?.querySelector(`.${RINGS}`)?.remove();
}

/** Of the shape of its place, on a halo that shows on any ground. */
function ring({ element, box: { x, y, width, height } }) {
  const [w, h] = [width + 2, height + 2];
  const shape = { "data-ring": element, x: x - w / 2, y: y - h / 2, width: w, height: h, rx: Math.min(w, h) / 2, fill: "none" };
  return [["var(--mark-halo)", 8], ["var(--spark)", 4.5]].map(([stroke, thick]) => draw("rect", { ...shape, stroke, "stroke-width": thick }));
}
