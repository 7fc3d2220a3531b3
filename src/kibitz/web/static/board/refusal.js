// Why not: one sentence, the rule it rests on, and sometimes an earlier position.
import { icon, make, nodes } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { openRules } from "./rules_drawer.js";

const TABLE = document.getElementById("table");

/** The bubble's content. */
export function explanation({ message, rule, rule_url: address, picture, picture_title: caption }, close) {
  const shown = picture
    ? make("figure", { class: "picture" }, stillPicture(picture), make("figcaption", {}, caption))
    : document.querySelector(".top .mark").cloneNode(true);
  return [
    make("div", { class: "what" }, shown, make("b", { class: "sp" }, message)),
    make("div", { class: "row" },
      rule && make("a", { class: "btn sm soft", href: address, onclick: (event) => read(event, rule) }, icon("rules", "s"), say("rule", { number: rule })),
      make("span", { class: "sp" }),
      make("button", { class: "btn sm ghost only", "aria-label": say("close"), onclick: close }, icon("close", "s"))),
  ];
}

/** An earlier position, to look at only. */
export function stillPicture(picture) {
  const shown = nodes(picture);
  for (const part of shown.querySelectorAll("title, .l-hit")) part.remove();
  return shown.querySelector("svg.board") ?? shown;
}

/** A link to the paragraph, for the bar of a phone. */
export function ruleLink({ rule, rule_url: address }) {
  if (!rule) return null;
  return make("a", { href: address, onclick: (event) => read(event, rule) }, say("rule", { number: rule }));
}

function read(event, rule) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openRules(TABLE.dataset.rules, rule);
}
