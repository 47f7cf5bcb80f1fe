// Shows the table and reports the cell that was pressed.

// On a phone the table begins with the column that is looked at.
function bringIntoSight(place) {
  const pressed = place.querySelector("[aria-pressed=true]");
  const names = place.querySelector("tbody th");
  if (!pressed || !names) return;
  place.dataset.shown = "1";
  const [cell, frame] = [pressed, place].map((e) => e.getBoundingClientRect());
  const hidden = cell.right - frame.right;
  if (hidden > 0) place.scrollLeft += Math.min(hidden + cell.width, cell.left - frame.left - names.offsetWidth);
}

// What a press opens stands below the table, on a laptop out of sight.
function showDetails() {
  const details = document.querySelector(".st-key-reproduce_cell");
  if (!details || details.getBoundingClientRect().top < 0.6 * window.innerHeight) return;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  details.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "start" });
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const place = parentElement.querySelector(".vstg-paper");
  const active = document.activeElement?.dataset?.cell;
  const left = place.scrollLeft;
  place.innerHTML = data.html;
  place.scrollLeft = left;
  if (!place.dataset.shown) bringIntoSight(place);
  if (active) place.querySelector(`[data-cell="${active}"]`)?.focus();
  place.onclick = (event) => {
    const button = event.target.closest("[data-cell]");
    if (!button) return;
    setTriggerValue("cell", button.dataset.cell);
    showDetails();
  };
}
