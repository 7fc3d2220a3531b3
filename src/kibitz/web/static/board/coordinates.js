// The letters and numbers of squares: somebody may not want to see them.
const root = document.documentElement;

export function coordinatesAreOn() {
  return localStorage.getItem("coordinates") !== "off";
}

export function switchCoordinates(isOn) {
  localStorage.setItem("coordinates", isOn ? "on" : "off");
  show();
}

function show() {
  root.classList.toggle("no-coordinates", !coordinatesAreOn());
}

show();
