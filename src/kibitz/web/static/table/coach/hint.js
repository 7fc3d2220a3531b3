// A hint in three steps, for somebody who plays alone: which piece, which move, and why.
import { clearRings, drawRings } from "../../board/rings.js";
import { isButton } from "../../board/match/buttons.js";
import { announce } from "../../lib/announce.js";
import { say } from "../../lib/i18n.js";
import { askCoach } from "./ask.js";
import { openReasons } from "./reasons.js";

export class Hint {
  /** What was answered last and is still shown. */
  shown = null;
  /** Whether only the piece is told yet. */
  isPiece = false;
  isFetching = false;

  constructor(match) {
    this.match = match;
  }

  async ask() {
    if (this.isFetching) return;
    this.isFetching = true;
    this.match.bar.show();
    const found = await askCoach(this.match, "hint");
    this.isFetching = false;
    if (found) this.show(found);
    this.match.refresh();
  }

  show(found) {
    this.match.picker.drop();
    this.shown = found;
    this.isPiece = found.path.length > 1 && !isButton(found.path[0]);
    this.draw();
  }

  draw() {
    const { isPiece, shown: { path } } = this;
    drawRings(this.match.board, isPiece ? path.slice(0, 1) : path);
    announce("polite", this.text());
  }

  text() {
    return this.isPiece ? say("hint-piece") : this.shown.text;
  }

  clear() {
    this.shown = null;
    clearRings(this.match.board);
  }

  /** What the bar says meanwhile, or null. */
  prompt() {
    const { seats, acting, seq } = this.match.view ?? {};
    const picture = seats?.find(({ seat }) => seat === acting)?.glyph ?? "";
    if (this.isFetching) return { say: say("hint-thinking"), picture };
    if (!this.shown || this.shown.seq !== seq || !acting) return null;
    const close = { label: say("close"), does: () => { this.clear(); this.match.refresh(); } };
    return { say: this.text(), picture, kind: "hint", offers: [close, ...this.nextButtons()] };
  }

  nextButtons() {
    const { isPiece, shown } = this;
    if (isPiece) return [{ label: say("hint-move"), kind: "pri", goesOn: true, does: () => this.tellMove() }];
    if (!shown.why.length && !shown.worth) return [];
    return [{ label: say("hint-why"), goesOn: true, does: () => this.tellReasons() }];
  }

  tellMove() {
    this.isPiece = false;
    this.draw();
    this.match.refresh();
  }

  tellReasons() {
    const { text, why, worth } = this.shown;
    openReasons(say("hint"), { text, lead: why.length > 1 ? say("hint-line") : "", line: why, notes: [worth] });
  }
}
