// What was refused and is still shown, and the question why something may not be done.
import { announce } from "../../lib/announce.js";
import { DOCK } from "../../lib/breakpoints.js";
import { closePopover, openPopover } from "../../lib/overlay/popover.js";
import { randomId } from "../../lib/random_id.js";
import { play } from "../../lib/sound/sound.js";
import { clear, drawRefusal } from "../marks.js";
import { explanation } from "../refusal.js";

export class RefusalNotice {
  /** The refusal and where it was touched, or null. */
  refused = null;
  asked = { key: null, element: "" };

  /** @param {import("../match_view.js").MatchView} match */
  constructor(match) {
    this.match = match;
  }

  /** Why may this not come next? A path that is whole already is asked about with another end. */
  ask(element) {
    const { line, picker, seat, view } = this.match;
    const path = view.acting ? picker.path.slice(0, picker.isComplete ? -1 : undefined) : [];
    if (path.at(-1) !== element) path.push(element);
    this.asked = { key: randomId(), element };
    line.ask({ type: "explain", key: this.asked.key, seat, path });
    this.match.refresh();
  }

  show(message) {
    const { board, picker } = this.match;
    board.letGo();
    if (message.key !== this.asked.key) {
      picker.drop();
      this.asked = { key: message.key, element: "" };
    }
    this.refused = { ...message, element: message.at || this.asked.element };
    drawRefusal(board, message);
    play("refused");
    announce("urgent", message.message);
    if (DOCK.matches) return;
    const hit = board.hits.get(this.refused.element) ?? document.getElementById("prompt");
    const isBad = message.at || message.because || message.picture;
    openPopover(explanation(message, () => this.dismiss()), hit, {
      kind: `${isBad ? "bad" : ""} ${message.picture ? "with-picture" : ""}`, role: "note",
    });
  }

  /** Takes the refusal away. */
  forget() {
    const { board } = this.match;
    this.refused = null;
    closePopover();
    if (board.svg) clear(board, "refuse");
  }

  dismiss() {
    this.forget();
    this.match.refresh();
  }
}
