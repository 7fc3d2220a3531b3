// Who is how likely to win on an analysis board, and what is best there. Asked for whatever is shown,
// once somebody wants to know.
import { icon, make, nodes } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { API, ROOT } from "../lib/paths.js";

const DEBOUNCE_MS = 250;
const RETRY_MS = 2000;
const language = document.documentElement.lang;
const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });

export class Evaluation {
  isOn = false;
  /** Counts what was asked for; answers to what was asked before are not shown. */
  asked = 0;
  shown = null;
  timer = 0;

  /** `here()` is the line that is shown; `play(actions)` plays on from there, `advise(actions)` draws that, or nothing. */
  constructor(section, toggle, { here, play, advise }) {
    this.section = section;
    this.toggle = toggle;
    this.here = here;
    this.play = play;
    this.advise = advise;
  }

  switch(isOn = !this.isOn) {
    this.isOn = isOn;
    this.toggle.setAttribute("aria-pressed", String(isOn));
    this.section.hidden = !isOn;
    this.shown = null;
    this.advise(null);
    if (isOn) this.look();
    else this.asked += 1;
  }

  /** Another position is shown. Whoever walks fast is not asked at every step. */
  look() {
    if (!this.isOn) return;
    const line = JSON.stringify(this.here());
    if (line === this.shown) return;
    this.shown = line;
    this.asked += 1;
    this.advise(null);
    this.section.setAttribute("aria-busy", "true");
    if (!this.section.childElementCount) this.section.replaceChildren(make("p", { class: "sm mut" }, say("evaluating")));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(line, this.asked), DEBOUNCE_MS);
  }

  async ask(line, asked) {
    while (asked === this.asked) {
      const answer = await fetch(`${API}/analysis/evaluate`, { method: "POST", headers: { "Content-Type": "application/json" }, body: line }).catch(() => null);
      const body = await answer?.json().catch(() => null);
      if (asked !== this.asked) return;
      if (answer?.ok && body) {
        this.show(body);
        return;
      }
      if (answer && answer.status < 500 && answer.status !== 429) {
        this.refuse(body?.message ?? say("no-answer"), body?.values?.table);
        return;
      }
      await new Promise((resolve) => { setTimeout(resolve, (body?.wait_seconds ?? 0) * 1000 || RETRY_MS); });
    }
  }

  /** With a link to the match that is the reason, if one is. */
  refuse(message, table) {
    this.section.removeAttribute("aria-busy");
    const link = table && make("a", { class: "btn sm", href: `${ROOT}/t/${table}` }, say("evaluate-go"));
    this.section.replaceChildren(make("p", { class: "row sm refused", role: "alert" }, icon("warn", "s"), make("span", { class: "sp" }, message), link));
  }

  show({ seats, say: sentence, best }) {
    this.section.removeAttribute("aria-busy");
    const bar = make("div", { class: "bar", "aria-hidden": "true" }, ...seats.map(({ tint, chance }) => {
      const part = make("span", {});
      part.style.flexGrow = chance;
      part.style.background = `var(--${tint})`;
      return part;
    }));
    const shares = make("ul", { class: "shares" }, ...seats.map(({ name, glyph, chance }) => {
      const sign = make("span", { class: "glyph", "aria-hidden": "true" });
      sign.append(nodes(glyph));
      return make("li", {}, sign, make("span", { class: "unseen" }, name), make("b", { class: "num" }, percent.format(chance)));
    }));
    const list = make("ol", { class: "best" }, ...best.map((each) => make("li", {}, this.row(each))));
    this.section.replaceChildren(make("div", { class: "standing" }, shares, bar, make("p", { class: "sm lead" }, sentence)), ...(best.length ? [list] : []));
    this.advise(best[0]?.actions ?? null);
  }

  row({ actions, label, chance, share }) {
    const how = share ? say("evaluate-mix", { share: percent.format(share) }) : precise.format(chance);
    const advise = () => this.advise(actions);
    const does = { onclick: () => this.play(actions), onpointerenter: advise, onfocus: advise };
    return make("button", { class: "btn sm", type: "button", "aria-label": `${label}: ${how}`, ...does },
      make("b", { class: "num" }, how), make("span", { class: "advice" }, label));
  }
}
