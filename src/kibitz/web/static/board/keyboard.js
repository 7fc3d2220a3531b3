// The keyboard: a cursor on the board, and single keys that can be switched off.
import { curtainIsDown } from "./handover.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** `does` has a function for each thing: touch, back, drop, what, explain, last, state, key (of an offer), help; perhaps moves, clocks, chat, replay. */
export function listen(board, does) {
  board.stage.addEventListener("focusin", ({ target }) => {
    if (target.dataset?.el) board.setCursor(target.dataset.el);
    board.drawCursor();
  });
  board.stage.addEventListener("focusout", () => board.drawCursor());

  addEventListener("keydown", (/** @type {any} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || curtainIsDown()) return;
    if (event.target.closest?.("dialog, input:not([type=range]), textarea, select")) return;
    const onBoard = board.svg?.contains(document.activeElement);
    if ((onBoard && boardKey(event)) || singleKey(event, onBoard)) event.preventDefault();
  });

  function boardKey({ key }) {
    if (key in ARROWS) goTo(neighbour(board, ARROWS[key]));
    else if (key === " " && keysAreOn() && does.key(key)) return true;
    else if (key === "Enter" || key === " ") does.touch(board.cursor);
    else if (key === "Home") goTo([...board.hits.keys()][0]);
    else if (key === "End") goTo([...board.hits.keys()].at(-1));
    else return false;
    return true;
  }

  function singleKey({ key, target }, onBoard) {
    if (key === "Escape") return does.drop();
    if (key === "Backspace") return does.back();
    if (!keysAreOn() || !board.svg) return false;
    const lower = key.toLowerCase();
    if (lower === "n" || lower === "p") goTo(lit(lower === "n" ? 1 : -1));
    else if (lower === "w") does.what();
    else if (lower === "l") does.last();
    else if (lower === "s") does.state();
    else if (lower === "m" && does.moves) does.moves();
    else if (lower === "c" && does.clocks) does.clocks();
    else if (lower === "t" && does.chat) does.chat();
    else if ((key === "[" || key === "]") && does.replay) does.replay(key === "[" ? -1 : 1);
    else if (lower === "k") does.explain(board.cursor);
    else if (key === "?") does.help();
    else return !target.closest?.("button, a") && does.key(lower);
    return true;
  }

  function lit(step) {
    const all = [...board.hits].filter(([, hit]) => hit.classList.contains("lit")).map(([name]) => name);
    const at = all.indexOf(board.cursor);
    if (at >= 0) return all[(at + step + all.length) % all.length];
    return all[step > 0 ? 0 : all.length - 1] ?? board.cursor;
  }

  function goTo(element) {
    board.setCursor(element);
    board.hits.get(element)?.focus();
    board.drawCursor();
  }
}

export function keysAreOn() {
  return localStorage.getItem("keys") !== "off";
}

export function switchKeys(on) {
  localStorage.setItem("keys", on ? "on" : "off");
}

/** The nearest element in a direction; what lies off to the side counts as farther. */
function neighbour(board, [dx, dy]) {
  const here = board.place(board.cursor);
  let [best, least] = [board.cursor, Infinity];
  for (const name of board.hits.keys()) {
    const there = board.place(name);
    const ahead = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    if (ahead < 1 || aside > ahead * 1.5) continue;
    const far = ahead + 2 * aside;
    if (far < least) [best, least] = [name, far];
  }
  return best;
}
