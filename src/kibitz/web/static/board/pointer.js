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
export function listen(board, does) {
  new Pointer(board, does).listen();
}

/** What one pointer is at: the element it was pressed on, and whether that is dragged. */
class Pointer {
  down = null;
  ignoreClick = false;

  constructor(board, does) {
    this.board = board;
    this.does = does;
  }

  listen() {
    const { stage } = this.board;
    stage.addEventListener("pointerdown", (event) => this.press(event));
    addEventListener("pointermove", (event) => this.move(event));
    // What can be dragged does not pan the page. (`touch-action` does nothing on shapes without a fill.)
    stage.addEventListener("touchmove", (event) => {
      if (event.touches.length === 1 && this.isOnDraggable && event.cancelable) event.preventDefault();
    }, { passive: false });
    addEventListener("pointerup", (event) => this.release(event));
    addEventListener("pointercancel", (event) => this.cancel(event));
    stage.addEventListener("click", (event) => this.click(event));
    stage.addEventListener("contextmenu", (event) => this.ask(event));
  }

  get isOnDraggable() {
    return Boolean(this.down && this.board.hits.get(this.down.element)?.classList.contains("held"));
  }

  press(event) {
    if (!event.isPrimary || event.button !== 0) return;
    const element = elementAt(event);
    this.ignoreClick = false;
    if (!element) return;
    this.down = { id: event.pointerId, x: event.clientX, y: event.clientY, element, how: kindOf(event) };
    if (this.down.how === "touch") this.down.timer = setTimeout(() => this.pressLong(element), LONG_PRESS_MS);
  }

  pressLong(element) {
    this.ignoreClick = true;
    this.down = null;
    this.does.explain(element);
  }

  move(event) {
    const { board, down } = this;
    if (!down || event.pointerId !== down.id) return;
    if (!down.drags && Math.hypot(event.clientX - down.x, event.clientY - down.y) < DRAG_PX) return;
    clearTimeout(down.timer);
    if (down.dead) return;
    if (!down.drags && !this.pickUp()) return;
    board.carry(board.point(event.clientX, event.clientY));
  }

  pickUp() {
    const { board, down } = this;
    const piece = board.piece(down.element);
    down.drags = Boolean(piece) && this.does.lift(down.element);
    down.dead = !down.drags;
    if (down.drags) board.hold(piece);
    document.body.classList.toggle("dragging", down.drags);
    return down.drags;
  }

  putDown() {
    clearTimeout(this.down.timer);
    document.body.classList.remove("dragging");
    this.down = null;
  }

  release(event) {
    const { board, does, down } = this;
    if (!down || event.pointerId !== down.id) return;
    const { element, how, drags, dead } = down;
    const goal = board.at(event.clientX, event.clientY);
    this.putDown();
    this.ignoreClick = dead || Boolean(drags);
    if (!drags) return;
    if (goal && goal !== element && does.drop(element, goal, how)) board.carry(board.place(goal));
    else board.letGo();
    does.put();
  }

  cancel(event) {
    if (this.down?.id !== event.pointerId) return;
    this.putDown();
    this.board.letGo();
    this.does.put();
  }

  click(event) {
    if (this.ignoreClick) {
      this.ignoreClick = false;
      return;
    }
    const element = elementAt(event);
    const isFinger = kindOf(event) === "touch";
    const target = isFinger ? nearest(this.board, event.clientX, event.clientY, element) : element;
    if (target) this.does.touch(target, isFinger ? "touch" : "mouse");
  }

  ask(event) {
    event.preventDefault();
    const element = elementAt(event);
    if (element && kindOf(event) === "mouse") this.does.explain(element);
  }
}

function elementAt({ target }) {
  return target.closest?.("[data-el]")?.dataset.el;
}

function kindOf({ pointerType }) {
  return pointerType === "touch" || pointerType === "pen" ? "touch" : "mouse";
}

/** A finger is thick: of the lit elements within its reach the nearest is taken; of small ones even beside a lit one. */
function nearest(board, x, y, element) {
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

function isSmall({ width, height }) {
  return Math.min(width, height) < THUMB_PX;
}
