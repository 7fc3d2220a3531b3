// A match in words, for somebody who does not see the board.
import { announce } from "../../lib/announce.js";
import { isolate, say } from "../../lib/i18n.js";
import { showToast } from "../../lib/overlay/toast.js";
import { distinct } from "../picker.js";

export class Narration {
  /** @param {import("../match_view.js").MatchView} match */
  constructor(match) {
    this.match = match;
  }

  /** What touching this would do. */
  describe(element) {
    const left = this.#leftAfter(element);
    return left.length === 1 ? left[0].label : say("may-choose");
  }

  /** The line of an element in the list of what may come next. */
  rowOf(element) {
    const { board, view } = this.match;
    const left = this.#leftAfter(element);
    const name = view.buttons[element] ?? board.name(element);
    if (left.every(({ path }) => path.at(-1) === element)) return left.map(({ label }) => label).join(" · ");
    return left.length > 1 ? name : `${name}: ${left[0].label}`;
  }

  #leftAfter(element) {
    const { picker } = this.match;
    return distinct(picker.matching([...picker.path, element]));
  }

  sayLastMove() {
    const { board, view } = this.match;
    announce("polite", view.latest || say("no-moves"));
    board.layer("last").animate([{ opacity: 1 }, { opacity: 0.2 }, { opacity: 1 }], { duration: 400, iterations: 2 });
  }

  /** Where the match stands. */
  sayState() {
    const { hint, seats, status, title } = this.match.view;
    const people = seats.map(({ name, player, note }) => [player ? isolate(player) : name, note].filter(Boolean).join(", "));
    const state = [title, hint, ...status, ...people].filter(Boolean).map((text) => text.replace(/\.$/, "")).join(". ");
    announce("polite", state);
    showToast(state);
  }
}
