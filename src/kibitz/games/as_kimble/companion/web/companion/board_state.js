// Where the pieces are, read from the drawing that the server sends: nothing of it is shown here.
import { nodes } from "../lib/dom.js";

export class BoardState {
  drawing = null;

  take({ svg, layers }) {
    if (svg) this.drawing = nodes(svg).firstElementChild;
    else for (const [name, markup] of Object.entries(layers)) this.drawing.querySelector(`:scope > .l-${name}`).innerHTML = markup;
  }

  /** The places on the track and in the goal where a team has a piece. */
  of(team) {
    return [...this.drawing.querySelectorAll(`.pc.team-${team}`)].map(({ id }) => id.replace(/^pc-/, "")).filter((place) => /^(t-\d+|g-[RBYG]\d)$/.test(place));
  }

  /** The piece at a place: { team, size }, or null. */
  at(place) {
    const piece = this.drawing.querySelector(`#${CSS.escape(`pc-${place}`)}`);
    const team = piece?.getAttribute("class").match(/team-([RBYG])/)?.[1];
    return team ? { team, size: this.size(place) } : null;
  }

  size(place) {
    const kinds = this.drawing.querySelector(`#${CSS.escape(`pc-${place}`)}`)?.getAttribute("class") ?? "";
    return Number(kinds.match(/\bx([2-4])\b/)?.[1] ?? 1);
  }
}
