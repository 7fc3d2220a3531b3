// A word before a large mistake, for whoever wants one and plays alone.
import { announce } from "../../lib/announce.js";
import { fetchJson } from "../../lib/fetch_json.js";
import { say } from "../../lib/i18n.js";
import { addressOf } from "./ask.js";
import { warningsAreOn } from "./choices.js";

/** Whoever plays waits no longer than that. */
const PATIENT_MS = 1500;

export class Warning {
  /** What was chosen and is not sent yet, and what is said of it. */
  chosen = null;
  text = "";

  constructor(match) {
    this.match = match;
  }

  /** Whether a choice waits for what is said of it. Whatever is not answered in time is played. */
  holds(choice) {
    if (!warningsAreOn() || !this.match.view.table.may_hint || !choice.actions.length) return false;
    this.ask(choice);
    return true;
  }

  async ask(choice) {
    const { match } = this;
    const { seq } = match.view;
    this.chosen = choice;
    this.text = "";
    match.refresh();
    const late = new Promise((resolve) => { setTimeout(resolve, PATIENT_MS, null); });
    const found = await Promise.race([fetchJson(addressOf(match, "loss", { actions: choice.actions })), late]);
    if (this.chosen !== choice || match.view.seq !== seq) return;
    if (!found?.is_large) {
      this.play();
      return;
    }
    this.text = found.text;
    announce("urgent", found.text);
    match.refresh();
  }

  play() {
    const { actions, seat } = this.chosen;
    this.drop();
    this.match.outgoing.send(actions, seat);
  }

  drop() {
    this.chosen = null;
  }

  /** What the bar says meanwhile, or null. */
  prompt() {
    if (!this.chosen) return null;
    const { seats, acting } = this.match.view;
    const picture = seats.find(({ seat }) => seat === acting)?.glyph ?? "";
    if (!this.text) return { say: say("chances-begin"), picture };
    const again = () => {
      this.drop();
      this.match.picker.drop();
      this.match.refresh();
    };
    return { say: this.text, picture, kind: "hint", offers: [
      { label: say("warn-anyway"), does: () => this.play() },
      { label: say("warn-again"), kind: "pri", goesOn: true, does: again },
    ] };
  }
}
