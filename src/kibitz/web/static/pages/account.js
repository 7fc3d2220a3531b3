// The account page: a new token is shown once, so it can be copied at once. All else works without scripts.
const copy = document.getElementById("copy");
const token = document.getElementById("token");

copy?.addEventListener("click", async () => {
  token.select();
  await navigator.clipboard?.writeText(token.value).catch(() => null);
  copy.textContent = copy.dataset.copied;
});
document.getElementById("wrong")?.closest("form").querySelector("[aria-invalid]")?.focus();
