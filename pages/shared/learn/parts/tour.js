// Offers, once in a browser's life, to point at the widgets of the page.

const SEEN = "vstg-tour";

function known() {
  try {
    if (localStorage.getItem(SEEN)) return true;
    localStorage.setItem(SEEN, "1"); // shown is shown, whatever is answered
    return false;
  } catch {
    return true; // no memory, no tour: it might come back for ever
  }
}

function visible(element) {
  const box = element?.getBoundingClientRect();
  return box && box.width > 0 && box.right > 0 && box.left < innerWidth;
}

function button(card, text, action, main) {
  const element = card.appendChild(document.createElement("button"));
  element.type = "button";
  element.textContent = text;
  element.className = main ? "main" : "";
  element.onclick = action;
  return element;
}

function close(card) {
  document.querySelectorAll(".vstg-pointed").forEach((e) => e.classList.remove("vstg-pointed"));
  card.remove();
}

function beside(card, target) {
  const box = target.getBoundingClientRect(), own = card.getBoundingClientRect();
  const right = box.right + 14 + own.width < innerWidth;
  const left = right ? box.right + 14 : Math.max(8, Math.min(box.left + 16, innerWidth - own.width - 8));
  const below = right ? box.top : Math.min(box.bottom + 10, innerHeight - own.height - 12);
  card.style.left = `${left}px`;
  card.style.top = `${Math.max(8, Math.min(below, innerHeight - own.height - 12))}px`;
}

function point(card, words, steps, at) {
  close(card);
  const rest = steps.slice(at).findIndex((step) => visible(document.querySelector(step.target)));
  if (rest < 0) return;
  const place = at + rest, target = document.querySelector(steps[place].target);
  target.classList.add("vstg-pointed");
  target.scrollIntoView({ block: "nearest" });
  card.className = "vstg-tour card";
  card.innerHTML = "";
  card.appendChild(document.createElement("p")).textContent = steps[place].text;
  const last = !steps.slice(place + 1).some((s) => visible(document.querySelector(s.target)));
  button(card, last ? words.done : words.next, () => (last ? close(card) : point(card, words, steps, place + 1)), true).dataset.tour = "next";
  if (!last) button(card, words.skip, () => close(card));
  document.body.appendChild(card);
  beside(card, target);
  card.onkeydown = (event) => event.key === "Escape" && close(card);
  card.querySelector("button").focus({ preventScroll: true });
}

export default function (component) {
  const { words, steps } = component.data;
  if (known()) return;
  const card = document.createElement("div");
  card.className = "vstg-tour offer";
  card.setAttribute("role", "dialog");
  card.setAttribute("aria-label", words.offer);
  card.appendChild(document.createElement("span")).textContent = words.offer;
  button(card, words.start, () => point(card, words, steps, 0), true).dataset.tour = "start";
  button(card, words.skip, () => close(card)).dataset.tour = "skip";
  document.body.appendChild(card);
}
