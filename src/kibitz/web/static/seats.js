// Who sits at the table, and whose turn it is.
import { make, nodes } from "./element.js";

/** `status` goes between two seats where there is no room for it elsewhere. */
export function showSeats(list, seats, status) {
  const shown = seats.map(({ name, note, glyph, to_act: toAct }) =>
    make("li", { class: `seat${toAct ? " on" : ""}`, "aria-current": toAct ? "true" : null },
      make("span", { class: "glyph" }, nodes(glyph)),
      make("span", { class: "sp" }, make("span", { class: "nm" }, name), make("span", { class: "note xs mut" }, note))));
  const others = status.slice(1).map((text) => make("span", { class: "num" }, text));
  if (others.length) shown.splice(Math.ceil(shown.length / 2), 0, make("li", { class: "between" }, ...others));
  list.classList.toggle("many", seats.length > 2);
  list.replaceChildren(...shown);
}
