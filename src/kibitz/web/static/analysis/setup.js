// Setting up an analysis: a position or a record as text or as a file, and the rules it is played by.
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { fieldJson, onPreset, setField } from "../pages/options_form.js";
import { readRecord } from "./record_file.js";

/** `load(wish)` gets `{ options, start, actions }` and answers with what is wrong with it, or nothing. */
export function openSetUp({ game, options, position }, load) {
  const form = document.getElementById("set-up").content.cloneNode(true).firstElementChild;
  const { text, file } = form.elements;
  const fields = [...form.querySelectorAll("[data-option]")];
  const wrong = form.querySelector("[role=alert]");
  text.value = position;
  for (const field of fields) fill(field, options);
  form.querySelector("[data-rules]").addEventListener("click", ({ target }) => suggest(fields, target.dataset.rules));
  onPreset(form, fields);
  form.elements.start.addEventListener("click", () => attempt(() => ({ options: chosenOptions(fields), start: "start", actions: [] })));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => wish(text.value.trim(), game, chosenOptions(fields)));
  });
  file.addEventListener("change", async () => {
    text.value = await file.files[0].text();
    attempt(() => readRecord(text.value, game));
  });
  openSheet(say("set-up"), form);
  text.focus({ focusVisible: false });

  async function attempt(read) {
    try {
      const why = await load(read());
      if (!why) closeSheet();
      wrong.textContent = why;
    } catch (error) {
      wrong.textContent = error.message;
    }
  }
}

/** What begins with a brace is a record, anything else a position. */
function wish(text, game, options) {
  if (text.startsWith("{")) return readRecord(text, game);
  return { options, start: text || "start", actions: [] };
}

function fill(field, options) {
  const { option, book } = field.dataset;
  setField(field, option in options ? JSON.stringify(options[option]) : book);
}

/** `base` is book or preset. */
function suggest(fields, base) {
  if (!base) return;
  for (const field of fields) setField(field, field.dataset[base]);
}

function chosenOptions(fields) {
  return Object.fromEntries(fields.map((field) => [field.dataset.option, JSON.parse(fieldJson(field))]));
}
