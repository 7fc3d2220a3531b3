// A bubble at a place on the board: why not, or which of these.
import { make } from "./dom.js";

const GAP = 14;
const EDGE = 8;
let open = null;

/** Shows `content` beside an element, and stays there when the page changes its shape. */
export function openPopover(content, at, { kind = "", label = "", role = "dialog" } = {}) {
  closePopover();
  const tail = make("span", { class: "tail" });
  const bubble = make("div", { class: `bubble ${kind}`, role, "aria-label": label || null }, ...[content].flat(), tail);
  document.body.append(bubble);
  const watch = new ResizeObserver(() => place(bubble, tail, at.getBoundingClientRect()));
  for (const each of [document.body, document.getElementById("stage")]) watch.observe(each);
  place(bubble, tail, at.getBoundingClientRect());
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

/** On the side with the most room, pointing at the middle of the place. */
function place(bubble, tail, rect) {
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const middle = { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 };
  const rooms = {
    right: innerWidth - rect.right - GAP - EDGE - width,
    left: rect.left - GAP - EDGE - width,
    above: rect.top - GAP - EDGE - height,
    below: innerHeight - rect.bottom - GAP - EDGE - height,
  };
  const side = Object.keys(rooms).find((each) => rooms[each] >= 0)
    ?? Object.keys(rooms).sort((a, b) => rooms[b] - rooms[a])[0];
  let x = middle.x - width / 2;
  let y = middle.y - height * 0.4;
  if (side === "right") x = rect.right + GAP;
  if (side === "left") x = rect.left - GAP - width;
  if (side === "above") y = rect.top - GAP - height;
  if (side === "below") y = rect.bottom + GAP;
  x = clamp(x, EDGE, innerWidth - width - EDGE);
  y = clamp(y, EDGE, innerHeight - height - EDGE);
  bubble.classList.remove(...Object.keys(rooms));
  bubble.classList.add(side);
  tail.removeAttribute("style");
  bubble.style.left = `${x}px`;
  bubble.style.top = `${y}px`;
  if (side === "left" || side === "right") tail.style.top = `${clamp(middle.y - y - 8, 16, height - 32)}px`;
  else tail.style.left = `${clamp(middle.x - x - 8, 16, width - 32)}px`;
}

function clamp(value, least, most) {
  return Math.max(least, Math.min(value, most));
}
