// The party screen while nothing goes on: a break over everything, with what ignoring it costs and who did; or an adjourned match.
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { breakCost, ignoredLines } from "../break_cost.js";

const find = (id) => document.getElementById(id);
/** So many of those who ignored it have room. */
const MAX_LINES = 3;

/** Nothing else is urgent then. */
export function showRest({ figures, table, title, hint, outcome }, entries, options) {
  const isBreak = Boolean(figures?.break && !outcome);
  const isResting = isBreak || (table.is_adjourned && !outcome);
  const cover = find("rest");
  find("screen").inert = isResting;
  cover.hidden = !isResting;
  const said = isBreak ? [say("party-break"), say("party-break-hint"), breakCost(options), ...latestIgnored(entries)] : [title, hint];
  const look = JSON.stringify(isResting && said);
  if (cover.dataset.look === look) return;
  cover.dataset.look = look;
  const [head, ...lines] = said;
  cover.replaceChildren(...(isResting ? [icon("pause"), make("b", {}, head),
    ...lines.map((line, i) => make("p", { class: i > 1 ? "blame" : null }, line))] : []));
}

function latestIgnored(entries) {
  return ignoredLines(entries).slice(-MAX_LINES).map(({ text }) => text);
}
