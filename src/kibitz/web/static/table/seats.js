// Who sits at the table, whether they are there, whose turn it is and how much time they have.
import { icon, make, nodes } from "../lib/dom.js";
import { isolate, say } from "../lib/i18n.js";

/** `status`, and how many look on, go between two seats where there is no room for it elsewhere. */
export function showSeats(list, seats, status, isResting, spectators = 0) {
  const shown = seats.map((seat) => seatShown(seat, seat.is_to_act && !isResting));
  const others = status.slice(1).map((text) => make("span", { class: "num" }, text));
  const isSeen = spectators > 0 && seats.some(({ is_mine: isMine }) => isMine);
  if (isSeen) others.push(make("span", { class: "num eyes", "aria-hidden": "true" }, icon("eye", "s"), String(spectators)));
  if (others.length) shown.splice(Math.ceil(shown.length / 2), 0, make("li", { class: "between" }, ...others));
  list.classList.toggle("many", seats.length > 2);
  list.replaceChildren(...shown);
}

/** What somebody at a seat is called: by their names, or else by the side they play. */
export function nameOf({ name, player }) {
  return player ? isolate(player) : name;
}

/** The same, with a mark at those who have an account: nobody else can look like them. */
function calledWithMarks({ name, player, members, has_account: hasAccount }) {
  const named = members.map((each, i) => [each, hasAccount[i]]).filter(([each]) => each);
  if (!named.length) return [player || name];
  return named.flatMap(([each, has], i) => [i ? " & " : "", make("bdi", {}, each), has && accountMark()].filter(Boolean));
}

export function accountMark() {
  return make("span", { class: "has-account", title: say("has-account") }, icon("member", "s"), make("span", { class: "unseen" }, `, ${say("has-account")}`));
}

function seatShown(seat, toAct) {
  const { name, note, glyph, is_free: isFree, bot_filling_in: botFillsIn } = seat;
  const called = nameOf(seat);
  const notes = [called === name ? "" : name, botFillsIn ? say("bot-fills-in") : note].filter(Boolean).join(", ");
  return make("li", { class: `seat${toAct ? " on" : ""}${isFree ? " free" : ""}`, "aria-current": toAct ? "true" : null },
    make("span", { class: "glyph" }, nodes(glyph), presence(seat)),
    make("span", { class: "sp" }, make("span", { class: "nm" }, ...calledWithMarks(seat)), make("span", { class: "note xs mut" }, notes)),
    !seat.bot && make("span", { class: "clock num", "data-clock": seat.seat, hidden: true }));
}

/** A dot, or a bot, and a word for those who do not see it. */
function presence({ bot, is_free: isFree, is_here: isHere, is_mine: isMine }) {
  if (bot) return make("span", { class: "presence bot" }, icon("bot", "s"));
  if (isFree || isMine) return null;
  return make("span", { class: `presence ${isHere ? "here" : "away"}` }, make("span", { class: "unseen" }, say(isHere ? "here" : "away")));
}
