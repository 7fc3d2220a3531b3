// Who sits at the table, and whose turn it is.
import { make, nodes } from "./element.js";

export function showSeats(list, seats) {
  list.replaceChildren(...seats.map(({ name, note, glyph, to_act: toAct }) =>
    make("li", { class: `seat${toAct ? " on" : ""}`, "aria-current": toAct ? "true" : null },
      make("span", { class: "glyph" }, nodes(glyph)),
      make("span", { class: "sp" }, make("span", { class: "nm" }, name), make("span", { class: "note xs mut" }, note)))));
}
