// The first page: a name that is saved, and what a game's settings come to.
import "./entropy.js";

const name = document.getElementById("name");
const saved = document.getElementById("saved");
const SHOWN = 2500;
let latest = name.value;
let timer = 0;

document.getElementById("me").addEventListener("submit", (event) => {
  event.preventDefault();
  name.blur();
});
name.addEventListener("change", save);
addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // Tables have moved on.

async function save() {
  if (name.value === latest) return;
  const answer = await fetch("/api/me", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: name.value }),
  }).catch(() => null);
  if (answer?.ok) {
    latest = (await answer.json()).name;
    name.value = latest;
  }
  saved.textContent = answer?.ok ? saved.dataset.saved : saved.dataset.failed;
  clearTimeout(timer);
  timer = setTimeout(() => { saved.textContent = ""; }, SHOWN);
}

for (const form of document.querySelectorAll("form.tx")) settings(form);

/** The rules as suggested or by the book; what was changed by hand stays. */
function settings(form) {
  const fields = [...form.querySelectorAll("[data-option]")];
  const { clock, options } = form.elements;
  const chip = form.querySelector("[data-summary]");
  const base = () => (form.elements.book.value ? "book" : "preset");
  let from = base();

  form.addEventListener("change", () => {
    const to = base();
    for (const field of fields) {
      if (to !== from && written(field) === field.dataset[from]) field.value = shown(field.dataset[to]);
    }
    from = to;
    const own = changed();
    options.value = JSON.stringify(own);
    const time = clock.selectedOptions[0].label;
    const book = form.elements.book.value && form.querySelector("[name=book]:checked + span").textContent;
    const rules = Object.keys(own).length ? chip.dataset.changed : book;
    chip.textContent = [time, rules].filter(Boolean).join(" · ");
  });

  function changed() {
    const own = fields.filter((field) => written(field) !== field.dataset[from]);
    return Object.fromEntries(own.map((field) => [field.dataset.option, JSON.parse(written(field))]));
  }
}

function shown(json) {
  return json === "null" ? "" : json;
}

/** As JSON. Words that are no JSON are a text. */
function written({ value }) {
  const typed = value.trim();
  if (!typed) return "null";
  try {
    return JSON.stringify(JSON.parse(typed));
  } catch {
    return JSON.stringify(typed);
  }
}
