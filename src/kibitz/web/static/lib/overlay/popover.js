// A bubble at a place on the board: why not, or which of these.
import { make } from "../dom.js";

const GAP_PX = 14;
const EDGE_PX = 8;
let open = null;

/**
 * Shows `content` beside an element, and stays there when the page changes its shape. It covers as little of what it should
 * `avoid` as can be; `isLow` puts it at the foot of the page, whatever is there.
 */
export function openPopover(content, at, { kind = "", label = "", role = "dialog", avoid = [], isLow = false } = {}) {
  closePopover();
  const tail = make("span", { class: "tail" });
  const bubble = make("div", { class: `bubble ${kind} ${isLow ? "low" : ""}`, role, "aria-label": label || null }, ...[content].flat(), tail);
  document.body.append(bubble);
  const boxes = () => avoid.map((each) => each.getBoundingClientRect());
  const show = () => (isLow ? placeLow(bubble) : place(bubble, tail, at.getBoundingClientRect(), boxes()));
  const watch = new ResizeObserver(show);
  for (const each of [document.body, document.getElementById("stage")]) watch.observe(each);
  show();
  open = { bubble, watch };
  return bubble;
}

export function closePopover() {
  if (!open) return false;
  open.bubble.remove();
  open.watch.disconnect();
  open = null;
  return true;
}

function placeLow(bubble) {
  bubble.style.left = `${(innerWidth - bubble.offsetWidth) / 2}px`;
  bubble.style.top = `${Math.max(EDGE_PX, innerHeight - bubble.offsetHeight - EDGE_PX)}px`;
}

/** On the side where it covers least, of those the first with room; pointing at the middle of the place. */
function place(bubble, tail, rect, avoid) {
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const middle = { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 };
  const rooms = {
    right: innerWidth - rect.right - GAP_PX - EDGE_PX - width,
    left: rect.left - GAP_PX - EDGE_PX - width,
    above: rect.top - GAP_PX - EDGE_PX - height,
    below: innerHeight - rect.bottom - GAP_PX - EDGE_PX - height,
  };
  const corners = {
    right: { x: rect.right + GAP_PX, y: middle.y - height * 0.4 },
    left: { x: rect.left - GAP_PX - width, y: middle.y - height * 0.4 },
    above: { x: middle.x - width / 2, y: rect.top - GAP_PX - height },
    below: { x: middle.x - width / 2, y: rect.bottom + GAP_PX },
  };
  const at = (side) => ({
    x: clamp(corners[side].x, EDGE_PX, innerWidth - width - EDGE_PX), y: clamp(corners[side].y, EDGE_PX, innerHeight - height - EDGE_PX),
  });
  const coveredArea = (side) => avoid.reduce((sum, box) => sum + overlap({ ...at(side), width, height }, box), 0);
  const hiddenArea = (side) => coveredArea(side) + (rooms[side] < 0 ? rect.width * rect.height - rooms[side] : 0);
  const side = Object.keys(rooms).reduce((best, each) => (hiddenArea(each) < hiddenArea(best) ? each : best));
  const { x, y } = at(side);
  bubble.classList.remove(...Object.keys(rooms));
  bubble.classList.add(side);
  tail.removeAttribute("style");
  bubble.style.left = `${x}px`;
  bubble.style.top = `${y}px`;
  if (side === "left" || side === "right") tail.style.top = `${clamp(middle.y - y - 8, 16, height - 32)}px`;
  else tail.style.left = `${clamp(middle.x - x - 8, 16, width - 32)}px`;
}

/** How much of a box another one covers. */
function overlap({ x, y, width, height }, { left, top, right, bottom }) {
  return Math.max(0, Math.min(x + width, right) - Math.max(x, left)) * Math.max(0, Math.min(y + height, bottom) - Math.max(y, top));
}

function clamp(value, least, most) {
  return Math.max(least, Math.min(value, most));
}
