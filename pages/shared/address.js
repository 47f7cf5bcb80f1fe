// Streamlit gives every parameter that a page writes into its address an entry of its
// own in the browser's history. What is written while the visitor does nothing belongs
// to one action: it becomes one entry, so that one step back takes it back.
//
// When the page changes, Streamlit also takes those parameters out of the address that
// both pages have. The page left would be found without them by a step back.

let acted = false; // whether the visitor has done something since the last entry
let moving = false; // whether that was to go to another page

function onlyRemoves(to) {
  const here = new URLSearchParams(window.location.search);
  return [...to.searchParams].every(([key, value]) => here.get(key) === value);
}

function isElsewhere(event) {
  const link = event.target.closest?.("a[href]");
  return Boolean(link) && link.pathname !== window.location.pathname;
}

function install() {
  const push = window.history.pushState.bind(window.history);
  for (const kind of ["pointerdown", "keydown"]) {
    window.addEventListener(
      kind, () => { acted = true; moving = false; }, { capture: true },
    );
  }
  window.addEventListener(
    "click", (event) => { moving = isElsewhere(event); }, { capture: true },
  );
  window.history.pushState = (state, unused, url) => {
    const to = new URL(url ?? "", window.location.href);
    const samePage = to.pathname === window.location.pathname;
    if (samePage && moving && onlyRemoves(to)) {
      return;
    }
    if (acted || !samePage) {
      push(state, unused, url);
    } else {
      window.history.replaceState(state, unused, url);
    }
    acted = false;
  };
}

export default function () {
  if (!window.vstgHistory) {
    window.vstgHistory = true;
    install();
  }
}
