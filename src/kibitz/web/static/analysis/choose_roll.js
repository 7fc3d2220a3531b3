// What chance does is for somebody to say: everything that may come up, with its odds.
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closePopover, openPopover } from "../lib/overlay/popover.js";

const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent", maximumFractionDigits: 1 });

/** `choose(text)` gets one of them. */
export function openRollChoice(chance, at, choose) {
  const row = (label, text, ...more) => make("button", { class: "btn", type: "button", onclick: () => { closePopover(); choose(text()); } }, ...more,
    make("span", { class: "sp" }, label));
  const rows = chance.map(({ text, label, odds }) => row(label, () => text, make("span", { class: "odds num" }, percent.format(odds))));
  const content = make("div", { class: "choices chances" }, make("span", { class: "sect" }, say("chance-what")),
    row(say("chance-random"), () => randomRoll(chance), icon("again")), ...rows);
  openPopover(content, at, { label: say("chance-what") }).querySelector("button").focus({ focusVisible: false });
}

/** One of them, as likely as it is. */
export function randomRoll(chance) {
  let left = Math.random() * chance.reduce((sum, { odds }) => sum + odds, 0);
  return (chance.find(({ odds }) => (left -= odds) < 0) ?? chance.at(-1)).text;
}
