// What our best bot would do, for somebody who plays against bots: rings on the board, and a sentence.
import { clearRings, drawRings } from "../board/rings.js";
import { announce } from "../lib/announce.js";
import { say } from "../lib/i18n.js";
import { showToast } from "../lib/overlay/toast.js";
import { API } from "../lib/paths.js";

const TABLE = document.getElementById("table");
const BUSY_STATUS = 429;
const RETRY_MS = 2000;
const TRIES = 5;

export class Hint {
  /** What was answered last and is still shown. */
  shown = null;
  isFetching = false;

  constructor(match) {
    this.match = match;
  }

  async ask() {
    if (this.isFetching) return;
    this.isFetching = true;
    this.match.bar.show();
    const answer = await this.fetchHint(TRIES);
    const found = await answer?.json().catch(() => null);
    this.isFetching = false;
    if (answer?.ok && found.seq === this.match.view.seq) this.show(found);
    else if (!answer?.ok) showToast(found?.message ?? say("no-answer"));
    this.match.refresh();
  }

  /** Where the bots are busy it is asked for again, as long as the position is the same. */
  async fetchHint(tries) {
    const { seq } = this.match.view;
    const answer = await fetch(`${API}/tables/${TABLE.dataset.id}/hint`).catch(() => null);
    if (answer?.status !== BUSY_STATUS || tries < 2) return answer;
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
    return this.match.view.seq === seq ? this.fetchHint(tries - 1) : answer;
  }

  show(found) {
    const { board, picker } = this.match;
    picker.drop();
    this.shown = found;
    drawRings(board, found.path);
    announce("polite", found.text);
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
    if (!this.shown || this.shown.seq !== seq) return null;
    return { say: this.shown.text, picture, kind: "hint", offers: [{ label: say("close"), does: () => { this.clear(); this.match.refresh(); } }] };
  }
}
