// Changing a position by hand: touch a place, and say what is to be there.
import { make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closePopover, openPopover } from "../lib/overlay/popover.js";

export class PositionEditor {
  isOn = false;
  /** The tree there was before. */
  treeBefore = null;

  /** `change(position)` starts a new tree there. */
  constructor(line, change) {
    this.line = line;
    this.change = change;
  }

  begin() {
    this.switch(true);
    this.treeBefore = this.line.tree;
    this.line.goTo(this.line.tree.at);
  }

  /** Plays on from what was made. */
  end() {
    this.switch(false);
    this.line.goTo(this.line.tree.at);
  }

  cancel() {
    this.switch(false);
    this.line.turnTo(this.treeBefore);
  }

  switch(isOn) {
    closePopover();
    this.isOn = isOn;
    document.body.classList.toggle("editing", isOn);
  }

  /** A view as it is shown meanwhile: nobody is to act. */
  withoutOffers(view) {
    return this.isOn ? { ...view, acting: null, offers: [] } : view;
  }

  /** Lists what may be made of a place; of the whole position for no place. */
  touch(place, at) {
    this.line.edits(place).then((edits) => { if (this.isOn && Array.isArray(edits)) this.choose(edits, at); });
    return true;
  }

  choose(edits, at) {
    const rows = edits.map(({ label, position }) =>
      make("button", { class: "btn", type: "button", onclick: () => { closePopover(); this.change(position); } }, label));
    const content = make("div", { class: "choices edits" }, rows.length ? "" : make("p", { class: "mut" }, say("edit-none")), ...rows);
    const bubble = openPopover(content, at, { label: say("edit") });
    bubble.querySelector("button")?.focus({ focusVisible: false });
  }

  /** What the bar says meanwhile. */
  prompt() {
    if (!this.isOn) return null;
    const offers = [
      { label: say("cancel"), does: () => this.cancel() },
      { label: say("edit-whole"), does: ({ currentTarget }) => this.touch("", currentTarget) },
      { label: say("done"), icon: "check", kind: "pri", does: () => this.end() },
    ];
    return { say: say("edit-hint"), more: say("edit-more"), offers, kind: "edit" };
  }
}
