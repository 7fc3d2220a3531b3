// The teams of a book: their colours, names and signs.
import { make, nodes } from "../../lib/dom.js";
import { isolate } from "../../lib/i18n.js";

export class Teams {
  /** `signs` are those of the colours, also before anybody wears them. */
  constructor(book, signs) {
    this.book = book;
    this.signs = signs;
  }

  seat(team) { return this.book.view.seats.find(({ seat }) => seat === team); }
  colour(team) { return this.seat(team).name; }
  name(team) { return this.book.info.teams[team]?.name || this.colour(team); }
  players(team) { return (this.book.info.teams[team]?.players ?? []).map(isolate).join(", "); }

  /** How a team of its size says the sentence. */
  form(team) { return this.book.options.team_size[this.book.order.indexOf(team)] > 1 ? "vi" : "jag"; }

  glyph(team) { return make("span", { class: "glyph" }, nodes(this.seat(team).glyph)); }

  /** A team by its sign and its name. */
  badge(team) { return make("span", { class: "badge-of" }, this.glyph(team), make("b", {}, this.name(team))); }

  peg(team, size) {
    return make("span", { class: `peg size-${size}` }, nodes(this.seat(team).glyph),
      size > 1 && make("span", { class: "times num" }, `×${size}`));
  }

  /** A colour that may be taken. */
  colourPeg(team) { return make("span", { class: "peg" }, nodes(this.signs[team])); }
}
