// Everybody who sits down adds something of their own to the dice.
const BYTES = 16;

export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

for (const field of document.querySelectorAll("form input[name=entropy]")) field.value = randomId();
