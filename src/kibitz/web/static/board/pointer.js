// Mouse, finger and pen on the board: a touch, a drag, a question.
const DRAG_PX = 6;
const LONG_PRESS_MS = 500;
const FINGER_PX = 22;
/** What is less wide or high takes what is beside it, too. */
const THUMB_PX = 38;

/**
 * `touch(element, how)`, `explain(element)`, `lift(element)` (may it be dragged?), `drop(from, to, how)`
 * (was it sent?), `put()` (nothing is dragged any more). `how` is "mouse" or "touch".
 */
export function listen(board, { touch, explain, lift, drop, put }) {
  const stage = board.stage;
  let down = null;
  let ignoreClick = false;

  stage.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    const element = event.target.closest?.("[data-el]")?.dataset.el;
    ignoreClick = false;
    if (!element) return;
    down = { id: event.pointerId, x: event.clientX, y: event.clientY, element, how: how(event) };
    if (down.how === "touch") {
      down.timer = setTimeout(() => {
        ignoreClick = true;
        down = null;
        explain(element);
      }, LONG_PRESS_MS);
    }
  });

  addEventListener("pointermove", (event) => {
    if (!down || event.pointerId !== down.id) return;
    if (!down.drags && Math.hypot(event.clientX - down.x, event.clientY - down.y) < DRAG_PX) return;
    clearTimeout(down.timer);
    if (down.dead) return;
    if (!down.drags && !pickUp(down)) return;
    board.carry(board.point(event.clientX, event.clientY));
  });

  // What can be dragged does not pan the page. (`touch-action` does nothing on shapes without a fill.)
  stage.addEventListener("touchmove", (event) => {
    const canDrag = down && event.touches.length === 1 && board.hits.get(down.element)?.classList.contains("held");
    if (canDrag && event.cancelable) event.preventDefault();
  }, { passive: false });

  addEventListener("pointerup", (event) => {
    if (!down || event.pointerId !== down.id) return;
    const { element, how, drags, dead } = down;
    const goal = board.at(event.clientX, event.clientY);
    putDown();
    ignoreClick = dead || Boolean(drags);
    if (!drags) return;
    if (goal && goal !== element && drop(element, goal, how)) board.carry(board.place(goal));
    else board.letGo();
    put();
  });

  addEventListener("pointercancel", (event) => {
    if (down?.id !== event.pointerId) return;
    putDown();
    board.letGo();
    put();
  });

  stage.addEventListener("click", (event) => {
    if (ignoreClick) {
      ignoreClick = false;
      return;
    }
    const element = event.target.closest?.("[data-el]")?.dataset.el;
    const finger = how(event) === "touch";
    const target = finger ? nearest(event.clientX, event.clientY, element) : element;
    if (target) touch(target, finger ? "touch" : "mouse");
  });

  stage.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    const element = event.target.closest?.("[data-el]")?.dataset.el;
    if (element && how(event) === "mouse") explain(element);
  });

  function pickUp(held) {
    const piece = board.piece(held.element);
    held.drags = Boolean(piece) && lift(held.element);
    held.dead = !held.drags;
    if (held.drags) board.hold(piece);
    document.body.classList.toggle("dragging", held.drags);
    return held.drags;
  }

  function putDown() {
    clearTimeout(down.timer);
    document.body.classList.remove("dragging");
    down = null;
  }

  /** A finger is thick: of the lit elements within its reach the nearest is meant; of small ones even beside a lit one. */
  function nearest(x, y, element) {
    if (!element) return element;
    const isLit = board.hits.get(element).classList.contains("lit");
    if (isLit && isSmall(board.hits.get(element).getBoundingClientRect())) return element;
    let [best, reach] = [element, Infinity];
    for (const [name, hit] of board.hits) {
      if (!hit.classList.contains("lit")) continue;
      const box = hit.getBoundingClientRect();
      const [dx, dy] = [Math.abs(box.left + box.width / 2 - x), Math.abs(box.top + box.height / 2 - y)];
      const isReached = isSmall(box) && dx <= Math.max(box.width, THUMB_PX) / 2 && dy <= Math.max(box.height, THUMB_PX) / 2;
      const far = Math.hypot(dx, dy);
      if ((isReached || (!isLit && far < FINGER_PX)) && far < reach) [best, reach] = [name, far];
    }
    return best;
  }
}

function isSmall({ width, height }) {
  return Math.min(width, height) < THUMB_PX;
}

function how(event) {
  return event.pointerType === "touch" || event.pointerType === "pen" ? "touch" : "mouse";
}
