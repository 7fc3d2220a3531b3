// The board on the page of the turn: it stands as the real one does, and the piece that moved is touched on it.
// What may be touched comes from the offers; what may not is explained by the server.
import { Board } from "../../board/board.js";
import { drawLast, drawPath, drawRefusal } from "../../board/marks.js";
import { Picker } from "../../board/picker.js";
import { listen } from "../../board/pointer.js";
import { make } from "../../lib/dom.js";

/** The board with its homes; what everybody owes stands below the page anyway. */
const VIEW_BOX = "-206 -245 412 490";

export class TurnBoard {
  stage = make("div", { class: "turn-board", "data-key": "board" });
  board = new Board(this.stage);
  picker = new Picker();
  /** The latest moves, and what was touched in vain: { at, because }. */
  latest = { last: [], marks: [] };
  refused = {};
  /** The drawing as it first came, and the layers that changed since. */
  drawing = { svg: "", layers: {} };

  /** `touch(offer, before)` when a choice is whole, with the one that was `drawnOffer()` before; `change()` when less or more is touched,
   * `explain(element)`. */
  constructor({ touch, drawnOffer, change, explain }) {
    listen(this.board, {
      touch: (element) => {
        const before = drawnOffer();
        if (!this.picker.touch(element)) return explain(element);
        const offer = this.picker.chosenOffer;
        this.refused = {};
        change();
        if (offer) touch(offer, before);
        return null;
      },
      explain, lift: () => false, drop: () => false, put: () => null,
    });
  }

  /** A view has come: the drawing, or what changed of it. */
  take({ svg, layers, last, last_marks: marks }) {
    if (svg) {
      this.drawing = { svg, layers: {} };
      this.board.show(svg);
      this.board.svg.setAttribute("viewBox", VIEW_BOX);
    } else {
      Object.assign(this.drawing.layers, layers);
      this.board.merge(layers);
    }
    this.latest = { last, marks };
    this.refused = {};
  }

  /** What may be chosen now; nothing is half chosen any more. */
  offer(offers) {
    this.picker.reset(offers);
    this.refused = {};
  }

  /** One of them, chosen elsewhere. */
  choose(offer) {
    this.picker.follow(offer.path);
    this.picker.choose(offer);
    this.refused = {};
  }

  /** `shown` is an offer to be drawn to its end, if there is one. */
  draw(shown) {
    drawLast(this.board, this.latest.last, this.latest.marks);
    drawPath(this.board, this.picker, shown);
    drawRefusal(this.board, this.refused);
    this.board.light(this.picker.next(), new Set(), (element) => this.board.name(element));
  }
}
