// The faces of a die, as buttons of a size that a thumb finds in the dark.
import { draw, make } from "../lib/dom.js";

const AT = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]] };
AT[5] = [...AT[4], [0, 0]];
AT[6] = [...AT[4], [-1, 0], [1, 0]];

export function die(face, kind = "") {
  return draw("svg", { class: `die ${kind}`, viewBox: "-24 -24 48 48", "aria-hidden": "true" },
    draw("rect", { x: -21, y: -21, width: 42, height: 42, rx: 10 }),
    ...AT[face].map(([x, y]) => draw("circle", { cx: x * 11, cy: y * 11, r: 4 })));
}

const DOUBLE_TOUCH_MS = 400;
const NOTHING = { face: 0, at: -DOUBLE_TOUCH_MS };
let touched = NOTHING;

/** The same face twice in so short a time is one touch, unless something else was touched between them. */
function once(face, does) {
  return ({ timeStamp: at }) => {
    const isAgain = face === touched.face && at - touched.at < DOUBLE_TOUCH_MS;
    touched = { face, at };
    if (!isAgain) does();
  };
}

addEventListener("click", ({ target }) => {
  if (target instanceof Element && !target.closest(".face")) touched = NOTHING;
}, { capture: true });

/** `choices` are { face, label, does }. */
export function faces(choices, name) {
  return make("div", { class: "faces", role: "group", "aria-label": name },
    ...choices.map(({ face, label, does }) =>
      make("button", { class: face === 6 ? "face six" : "face", type: "button", "data-face": face, "aria-label": label, onclick: once(face, does) },
        die(face))));
}
