// The only move there is: it plays itself once it has been seen, if that is wished for.
import { announce } from "../../lib/announce.js";
import { forcedMovesPlay } from "../dialogs.js";

/** How long such a move is seen before. */
const PREVIEW_MS = 900;

export class ForcedMove {
  /** The offer, while it is shown before it plays itself. */
  offer = null;

  /** @param {import("../match_view.js").MatchView} match */
  constructor(match) {
    this.match = match;
  }

  drop() {
    this.offer = null;
  }

  /** Shows the only move of a view and plays it, unless it is one to be asked about. */
  preview(view) {
    const { match } = this;
    const { picker } = match;
    const offer = view.offers.find(({ actions, needs_confirmation: isAsked }) => !isAsked && actions.length === 1 && actions[0] === view.only[0]);
    if (!offer || !match.isFree || picker.path.length || !forcedMovesPlay(view.table)) return;
    this.offer = offer;
    picker.follow(offer.path);
    picker.choose(offer);
    match.refresh();
    announce("polite", match.bar.sentence());
    setTimeout(() => { if (this.offer === offer && match.isFree) match.outgoing.play(offer); }, PREVIEW_MS);
  }
}
