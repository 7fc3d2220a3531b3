// The board on the home page that plays a match by itself, and says what happens.

const MOVE_MS = 2600;
const SLIDE_MS = 700;
const FADE_MS = 250;
const REST_MS = 6000;
const near = (one, other) => Math.abs(one - other) < 1;

/** Plays the match of an element while it is looked at. Where nothing shall move, it stands still. */
export function bringToLife(room, caption) {
  const moves = JSON.parse(room.dataset.moves);
  const board = room.querySelector("svg");
  const first = board.innerHTML;
  let pieces = piecesOf(board);
  let n = 0;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  setTimeout(next, MOVE_MS);

  function next() {
    setTimeout(next, n < moves.length ? MOVE_MS : REST_MS);
    if (document.hidden) return;
    if (n === moves.length) {
      board.innerHTML = first;
      pieces = piecesOf(board);
      caption.textContent = "";
      n = 0;
      return;
    }
    caption.textContent = moves[n].text;
    const going = moves[n].ways.map(([x, y, ...to]) => [pieces.find((each) => near(each.x, x) && near(each.y, y)), to]);
    for (const [piece, [x, y]] of going) if (piece) slide(piece, x, y);
    pieces = pieces.filter((piece) => !piece.isGone);
    n += 1;
  }

  function slide(piece, x, y) {
    const { element, x: fromX, y: fromY } = piece;
    const { x: left, y: top, width, height } = board.viewBox.baseVal;
    const isOff = x < left || y < top || x > left + width || y > top + height;
    const wasOff = fromX < left || fromY < top || fromX > left + width || fromY > top + height;
    Object.assign(piece, { x, y, isGone: isOff });
    element.setAttribute("transform", `translate(${x} ${y})`);
    const start = wasOff ? { opacity: 0 } : { translate: `${fromX - x}px ${fromY - y}px` };
    const end = isOff ? { opacity: 0 } : { translate: "0px 0px", opacity: 1 };
    const moving = element.animate([start, end], { duration: wasOff ? FADE_MS : SLIDE_MS, easing: "cubic-bezier(.3, .1, .3, 1)", fill: "both" });
    if (wasOff) element.querySelector("use")?.removeAttribute("transform");
    if (isOff) moving.finished.then(() => element.remove());
  }
}

function piecesOf(board) {
  return [...board.querySelectorAll(".pc")].map((element) => {
    const [x, y] = element.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    return { element, x, y, isGone: false };
  });
}
