// Opening a book: everything has an answer already, so that "Start" works at once.
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { API, ROOT } from "../lib/paths.js";
import { loadItem } from "../lib/storage.js";
import { fieldJson } from "../pages/options_form.js";

const form = document.getElementById("keep");
const starts = JSON.parse(document.getElementById("starts").textContent);

class Team {
  players = [];
  /** The number of people, once somebody has said it; else as many as have names. */
  size = 0;

  constructor(card) {
    this.seat = card.dataset.seat;
    this.name = card.querySelector(`[name=name-${this.seat}]`);
    this.field = card.querySelector(`[name=player-${this.seat}]`);
    this.list = card.querySelector(".people");
    this.number = card.querySelector(".stepper output");
    for (const step of card.querySelectorAll("[data-step]")) step.addEventListener("click", () => this.resize(Number(step.dataset.step)));
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.add();
    });
    // The keyboards of phones do not say which key it was.
    this.field.addEventListener("input", () => this.field.value.includes(",") && this.add());
    this.field.addEventListener("blur", () => this.add());
    this.name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.field.focus();
    });
  }

  add() {
    const names = this.field.value.split(",").map((each) => each.trim()).filter(Boolean);
    this.field.value = "";
    if (names.length) this.show([...this.players, ...names]);
  }

  get people() { return Math.max(1, this.players.length, this.size); }

  resize(by) {
    this.size = Math.max(1, this.players.length, this.people + by);
    this.number.textContent = String(this.people);
  }

  show(players) {
    // Whoever has a name is one of those who were counted.
    if (players.length < this.players.length && this.size <= this.players.length) this.size = 0;
    this.players = players;
    this.number.textContent = String(this.people);
    this.list.replaceChildren(...players.map((name, i) =>
      make("button", { class: "person", type: "button", "aria-label": say("keep-remove", { name }),
        onclick: () => this.show(players.filter((_, at) => at !== i)) }, name, icon("close", "s"))));
  }

  get entry() {
    return { name: this.name.value.trim(), players: this.players };
  }
}

const teams = [...form.querySelectorAll("[data-seat]")].map((card) => new Team(card));

form.addEventListener("change", show);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
addEventListener("pageshow", showOpenBook);
show();

/** Whoever comes back here by mistake has a book already. */
async function showOpenBook() {
  const id = loadItem("kibitz-open-book", "");
  const answer = id && await fetch(`${API}/tables/${id}`).catch(() => null);
  const book = answer?.ok ? await answer.json() : null;
  const card = document.getElementById("goes-on");
  card.hidden = !book || Boolean(book.outcome);
  card.querySelector("a").href = `${ROOT}/book/${id}`;
}

/** What goes with what was chosen. */
function show() {
  const { unit, begins } = form.elements;
  const adults = document.getElementById("adults");
  adults.hidden = !adults.dataset.units.split(" ").includes(unit.value);
  document.getElementById("minors").hidden = !adults.hidden;
  document.getElementById("own-unit").hidden = unit.value !== "custom";
  form.elements.unit_name.required = unit.value === "custom";
  document.getElementById("lots-hint").hidden = begins.value !== "lots";
  form.classList.toggle("lots-chosen", begins.value === "lots");
}

function options() {
  const { unit, unit_name: name, doubled } = form.elements;
  const rules = [...form.querySelectorAll("[data-option]")].map((field) => [field.dataset.option, JSON.parse(fieldJson(field))]);
  return {
    ...Object.fromEntries(rules.filter(([, value]) => value !== null)),
    mode: "companion",
    pace: "free",
    team_size: teams.map(({ people }) => people),
    unit: unit.value,
    unit_factor: doubled.checked ? 2 : 1,
    ...(unit.value === "custom" ? { unit_name: name.value.trim() } : {}),
  };
}

async function start() {
  const begin = form.querySelector(".start .btn");
  for (const team of teams) team.add();
  const wish = {
    game: form.dataset.game,
    seats: Object.fromEntries(teams.map(({ seat }) => [seat, "me"])),
    options: options(),
    start: starts[form.elements.begins.value],
    settings: {
      depth: form.elements.depth.value,
      reminders: form.elements.reminders.value,
      teams: Object.fromEntries(teams.map(({ seat, entry }) => [seat, entry])),
    },
  };
  begin.disabled = true;
  const answer = await fetch(`${API}/tables`,
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) }).catch(() => null);
  const body = await answer?.json().catch(() => null);
  if (answer?.ok) location.assign(`${ROOT}/book/${body.id}`);
  else document.getElementById("wrong").textContent = body?.message ?? say("keep-failed");
  begin.disabled = Boolean(answer?.ok);
}
