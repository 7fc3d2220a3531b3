// The line across the page: the connection is gone, or something just went by.
const PASSES = 5000;
const banner = document.getElementById("banner");
let down = "";
let passing = "";
let timer = 0;

/** No text: the connection is back. */
export function showConnectionLost(text) {
  down = text;
  show();
}

export function showToast(text) {
  passing = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    passing = "";
    show();
  }, PASSES);
  show();
}

function show() {
  banner.hidden = !(down || passing);
  banner.querySelector("use").setAttribute("href", passing ? "#i-people" : "#i-wifi");
  banner.lastElementChild.textContent = passing || down;
}
