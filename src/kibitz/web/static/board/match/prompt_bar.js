// What the bar under the board says of a match: what was refused, what is chosen, whose turn it is.
import { DOCK } from "../../lib/breakpoints.js";
import { say } from "../../lib/i18n.js";
import { showPrompt } from "../prompt.js";
import { ruleLink } from "../refusal.js";
import { isButton, MatchButtons } from "./buttons.js";
import { winner } from "./outcome.js";

const kibitzer = document.querySelector(".top .mark").outerHTML;

export class PromptBar {
  /** @param {import("../match_view.js").MatchView} match */
  constructor(match) {
    this.match = match;
    this.buttons = new MatchButtons(match);
  }

  show() {
    const { line, outgoing, page, picker, playback, refusal: { refused }, view } = this.match;
    const own = page.prompt();
    const picture = this.#facing()?.glyph ?? "";
    if (refused && DOCK.matches) {
      this.#showRefused(refused);
    } else if (own) {
      showPrompt(own);
    } else if (playback.isInScene) {
      showPrompt({ say: "" });
    } else if (outgoing.isSlow && line.pending) {
      showPrompt({ say: say("sending"), picture });
    } else if (picker.path.length) {
      const more = this.#withNote(this.#advice());
      showPrompt({ say: this.sentence(), more, picture, offers: this.buttons.alongPath(), kind: picker.isComplete ? "sure" : "" });
    } else if (view.outcome) {
      showPrompt({ say: view.outcome.title, more: view.outcome.why, picture: winner(view), offers: this.buttons.atEnd(), kind: "ended" });
    } else {
      const offers = this.buttons.atRest();
      showPrompt({ say: view.title, more: this.#withNote(view.hint), picture, offers });
    }
  }

  #showRefused(refused) {
    const { refusal, view } = this.match;
    const offers = [{ label: view.acting ? say("choose-again") : say("close"), does: () => refusal.dismiss() }];
    showPrompt({ say: refused.message, picture: refused.picture ?? kibitzer, more: refused.picture_title, link: ruleLink(refused), offers, kind: "refused" });
  }

  #withNote(text) {
    return [this.match.page.note(), text].filter(Boolean).join(" ");
  }

  /** The seat whose picture goes with what is said. */
  #facing() {
    const { acting, seats, table } = this.match.view;
    const free = table.is_waiting && seats.find((seat) => seat.is_free);
    const acts = seats.find(({ seat }) => seat === acting);
    return free || (acts?.is_to_act ? acts : seats.find((seat) => seat.is_to_act) ?? acts);
  }

  /** What is being chosen, in words. */
  sentence() {
    const { picker } = this.match;
    if (picker.choice) return say("which");
    const offer = picker.chosenOffer && picker.isComplete ? picker.chosenOffer : picker.matching()[0];
    return offer.prompts[picker.path.length - 1] ?? offer.label;
  }

  #advice() {
    const { forced, picker } = this.match;
    if (forced.offer) return say("one-way");
    if (picker.isComplete) return isButton(picker.path.at(-1)) ? "" : say("touch-hint");
    const kinds = new Set(picker.matching().flatMap(({ marks }) => marks).filter(({ after }) => after === picker.path.length).map(({ kind }) => kind));
    if (kinds.has("push") && kinds.has("pull")) return say("legend");
    return picker.chosenOffer ? say("one-way") : "";
  }
}
