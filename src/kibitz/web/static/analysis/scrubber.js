// The bar that walks along a line: a slider, and a button for each end and each step.
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

export class Scrubber {
  /** `goTo(n)` is asked for the position after so many moves, `step(by)` for one further or back. */
  constructor(bar, { goTo, step, moves }) {
    this.slider = make("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": say("walk"), oninput: () => goTo(Number(this.slider.value)) });
    this.back = [button("first", say("replay-first"), () => goTo(0), "end"), button("before", say("replay-before"), () => step(-1))];
    this.on = [button("after", say("replay-after"), () => step(1)), button("last", say("replay-over"), () => goTo(Infinity), "end")];
    bar.append(...this.back, this.slider, ...this.on, button("list", say("moves"), moves, "moves"));
  }

  show(n, of) {
    this.slider.max = of;
    this.slider.value = n;
    this.slider.disabled = of === 0;
    this.slider.setAttribute("aria-valuetext", n ? say("replay-at", { n, of }) : say("replay-start"));
    for (const each of this.back) each.disabled = n === 0;
    for (const each of this.on) each.disabled = n === of;
  }
}

function button(name, label, does, kind = "") {
  return make("button", { class: `btn sm only ${kind}`, type: "button", "aria-label": label, onclick: does }, icon(name));
}
