// Offers once per browser to point at the widgets of the page.

const SEEN = "vstg-tour";

function known() {
  try {
    if (localStorage.getItem(SEEN)) return true;
    localStorage.setItem(SEEN, "1"); // offered once, whatever the answer
    return false;
  } catch {
    return true; // a browser that forgets would be asked on every visit
  }
}

function visible(element) {
  const box = element?.getBoundingClientRect();
  return box && box.width > 0 && box.right > 0 && box.left < innerWidth;
}

function button(card, text, action, name) {
  const element = card.appendChild(document.createElement("button"));
  element.type = "button";
  element.textContent = text;
  element.dataset.tour = name;
  element.onclick = action;
  return element;
}

function unmark() {
  document.querySelectorAll(".vstg-pointed").forEach((e) => e.classList.remove("vstg-pointed"));
}

function close(card) {
  unmark();
  card.forget?.();
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

// Escape ends the tour wherever the focus is; arrows turn its pages.
function listen(card, keys) {
  const press = (event) => {
    const act = event.key === "Escape" || card.contains(event.target) ? keys[event.key] : null;
    if (act) { event.preventDefault(); act(); }
  };
  const follow = () => card.target && beside(card, card.target);
  document.addEventListener("keydown", press);
  window.addEventListener("resize", follow);
  document.addEventListener("scroll", follow, true);
  card.forget = () => {
    document.removeEventListener("keydown", press);
    window.removeEventListener("resize", follow);
    document.removeEventListener("scroll", follow, true);
  };
}

function point(card, words, steps, at) {
  const step = steps[at], target = document.querySelector(step.target);
  if (!visible(target)) return close(card);
  const last = at === steps.length - 1, first = at === 0;
  const turn = (to) => () => point(card, words, steps, to);
  unmark();
  card.forget?.();
  target.classList.add("vstg-pointed");
  target.scrollIntoView({ block: "nearest" });
  card.target = target;
  card.className = "vstg-tour card";
  card.setAttribute("role", "dialog");
  card.innerHTML = "<small></small><p></p>";
  card.querySelector("small").textContent = words.place.replace("{place}", at + 1).replace("{count}", steps.length);
  card.querySelector("p").textContent = step.text;
  card.querySelector("p").id = "vstg-tour-text";
  card.setAttribute("aria-describedby", "vstg-tour-text");
  const onward = last ? () => close(card) : turn(at + 1);
  const next = button(card, last ? words.done : words.next, onward, "next");
  if (!first) button(card, words.back, turn(at - 1), "back");
  if (!last) button(card, words.stop, () => close(card), "skip");
  listen(card, { Escape: () => close(card), ArrowRight: onward, ArrowLeft: first ? null : turn(at - 1) });
  beside(card, target);
  next.focus({ preventScroll: true });
}

function offer(words, steps) {
  const card = document.createElement("div");
  card.className = "vstg-tour offer";
  card.setAttribute("role", "region");
  card.setAttribute("aria-label", words.offer);
  card.appendChild(document.createElement("span")).textContent = words.offer;
  button(card, words.start, () => {
    const here = steps.filter((step) => visible(document.querySelector(step.target)));
    if (here.length) point(card, words, here, 0); else close(card);
  }, "start");
  button(card, words.skip, () => close(card), "skip");
  listen(card, { Escape: () => close(card) });
  document.body.prepend(card); // the first stop of the tab key
  return card;
}

export default function (component) {
  const { words, steps } = component.data;
  if (known()) return;
  const card = offer(words, steps);
  return () => setTimeout(() => { // left with the page, not with a new run of it
    if (!document.querySelector(".learn-tour")) close(card);
  });
}
