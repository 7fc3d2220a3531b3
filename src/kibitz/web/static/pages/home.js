// The first page: a name that is saved, what a game's settings come to, and tables that stay up to date.
import { announce } from "../lib/announce.js";
import { nodes } from "../lib/dom.js";
import { chosenLevel, fillInLevel, isOpen, rememberLevel } from "../lib/level.js";
import { API, ROOT } from "../lib/paths.js";
import "../lib/preparing.js";
import { offerInstall } from "../lib/pwa/install.js";
import { setTurn, notifyIsOn, notifyState, switchNotify } from "../lib/pwa/notifications.js";
import "../lib/random_id.js";
import { bringToLife } from "./living_board.js";
import { fieldJson, onPreset, setField } from "./options_form.js";

offerInstall(document.getElementById("install"));

const name = document.getElementById("name");
const saved = document.getElementById("saved");
const NOTICE_MS = 2500;
let latest = name?.value;
let timer = 0;

document.getElementById("me")?.addEventListener("submit", (event) => {
  event.preventDefault();
  name.blur();
});
name?.addEventListener("change", save);

async function save() {
  if (name.value === latest) return;
  const answer = await fetch(`${API}/me`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: name.value }),
  }).catch(() => null);
  if (answer?.ok) {
    latest = (await answer.json()).name;
    name.value = latest;
    document.getElementById("known-as").textContent = latest || name.placeholder;
  }
  saved.textContent = answer?.ok ? saved.dataset.saved : saved.dataset.failed;
  clearTimeout(timer);
  timer = setTimeout(() => { saved.textContent = ""; }, NOTICE_MS);
}

const tables = document.getElementById("tables");
const POLL_MS = 15000;
/** Who looks elsewhere and wants to be told of a turn is told within that. */
const AWAY_POLL_MS = 45000;
let listed = "";
let asked = 0;

tell();
setInterval(refresh, POLL_MS);
document.addEventListener("visibilitychange", refresh);
addEventListener("focus", refresh);
addEventListener("pageshow", ({ persisted }) => persisted && refresh());

/** Asks which tables there are now, if anybody looks or wants to be told. */
async function refresh() {
  if (document.hidden && !(notifyIsOn() && Date.now() > asked + AWAY_POLL_MS)) return;
  asked = Date.now();
  const answer = await fetch(`${ROOT}/?part=tables`).catch(() => null);
  if (!answer?.ok) return;
  const markup = await answer.text();
  if (markup !== listed) show(markup);
  listed = markup;
}

/** What was open stays open, and whoever was at a table's line is there again. */
function show(markup) {
  const waited = waitingCount();
  const focused = tables.contains(document.activeElement) && selectorOf(document.activeElement);
  const wasOpen = document.getElementById("done")?.open;
  tables.replaceChildren(nodes(markup));
  const done = document.getElementById("done");
  if (done && wasOpen !== undefined) done.open = wasOpen;
  if (focused) tables.querySelector(focused)?.focus();
  tell();
  if (waitingCount() > waited) announce("polite", summary());
}

function tell() {
  setTurn(waitingCount() > 0, summary(), waitingCount());
  offer(tables.querySelector("[name=notify]"));
}

/** The switch for notifications, where there are turns to wait for and the browser has them. */
function offer(notify) {
  if (!notify) return;
  const show = () => {
    notify.checked = notifyIsOn();
    notify.closest("label").hidden = notifyState() !== "possible";
  };
  notify.addEventListener("change", async () => {
    await switchNotify(notify.checked);
    show();
  });
  show();
}

function selectorOf(element) {
  return element.name ? `[name="${element.name}"]` : `[href="${element.getAttribute("href")}"]`;
}

function waitingCount() {
  return Number(tables.querySelector(".yours").dataset.waiting);
}

function summary() {
  return tables.querySelector(".yours").dataset.said;
}

const living = document.getElementById("living");
if (living) bringToLife(living, document.getElementById("living-text"));

/** The level that was chosen last is chosen again, and every game is played against it. */
const levels = document.getElementById("levels");
if (levels) {
  const chosen = chosenLevel(levels.querySelector(":checked").value);
  levels.querySelector(`[value="${chosen}"]`).checked = true;
  for (const face of levels.querySelectorAll("[data-locked]")) face.closest(".level").classList.toggle("locked", !isOpen(face.value));
  tellLevel();
  levels.addEventListener("change", ({ target }) => {
    rememberLevel(target.value);
    fillInLevel(document);
    tellLevel();
  });
  fillInLevel(document);
}

/** What the chosen one is like, and how it opens where it has not been won yet: it may be played all the same. */
function tellLevel() {
  const { about, locked } = levels.querySelector(":checked").dataset;
  const isLocked = levels.querySelector(":checked").closest(".level").classList.contains("locked");
  document.getElementById("level-about").textContent = isLocked ? `${about} ${locked}` : about;
}

/** A touch elsewhere closes what hangs from the top, and so does Escape. */
const drops = [...document.querySelectorAll("details.drop")];
document.addEventListener("click", ({ target }) => {
  for (const drop of drops) if (!drop.contains(/** @type {Node} */ (target))) drop.open = false;
});
document.addEventListener("keydown", ({ key }) => {
  const open = key === "Escape" && drops.find((drop) => drop.open);
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});

for (const form of document.querySelectorAll("form.tx")) settings(form);

/** The rules as suggested or by the book; what was changed by hand stays. */
function settings(form) {
  const fields = [...form.querySelectorAll("[data-option]")];
  const { clock, options, start } = form.elements;
  const chip = form.querySelector("[data-summary]");
  const base = () => (form.elements.by_rulebook.value ? "book" : "preset");
  let from = base();

  form.addEventListener("change", () => {
    const to = base();
    for (const field of fields) {
      if (to !== from && fieldJson(field) === field.dataset[from]) setField(field, field.dataset[to]);
    }
    from = to;
    const own = changedOptions();
    options.value = JSON.stringify(own);
    const time = clock.selectedOptions[0].label;
    const book = form.elements.by_rulebook.value && form.querySelector("[name=by_rulebook]:checked + span").textContent;
    const rules = Object.keys(own).length ? chip.dataset.changed : book;
    chip.textContent = [time, rules, beginning()].filter(Boolean).join(" · ");
  });

  /** Shows the sides to choose from, unless lots decide on them; who begins, where that is not as usual. */
  function beginning() {
    if (!start) return "";
    const [chosen] = start.selectedOptions;
    const isByLots = "sideless" in chosen.dataset;
    form.querySelector("[data-sides]").hidden = isByLots;
    form.querySelector("[data-lots-hint]").hidden = !isByLots;
    return start.selectedIndex ? chosen.label : "";
  }

  onPreset(form, fields, () => form.dispatchEvent(new Event("change")));

  function changedOptions() {
    const own = fields.filter((field) => fieldJson(field) !== field.dataset[from]);
    return Object.fromEntries(own.map((field) => [field.dataset.option, JSON.parse(fieldJson(field))]));
  }
}
