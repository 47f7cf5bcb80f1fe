// Streamlit gives every parameter that a page writes into its address an entry of its
// own in the browser's history. What is written while the visitor does nothing belongs
// to one action: it becomes one entry, so that one step back takes it back.
//
// When the page changes, Streamlit may write the new page's parameters, or take out those
// that both pages have, while the address is still that of the page left. A step back
// would find that page so; the new page's address comes with all of them anyway.

let acted = false; // whether the visitor has done something since the last entry
let moving = false; // whether that was to go to another page

function isElsewhere(event) {
  const link = event.target.closest?.("a[href]");
  const newTab = event.ctrlKey || event.metaKey || event.shiftKey;
  return Boolean(link) && !newTab && link.pathname !== window.location.pathname;
}

// Streamlit leaves the next page as far down as the last one was.
function beginAtTheTop() {
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
}

// On a phone the list of lessons lies over the lesson: it goes once one is chosen.
const NARROW = 640;

function closeSidebar(event) {
  const chosen = event.target.closest?.("[data-testid=stSidebar] :is(.st-key-learn_list button, .st-key-nav a)");
  if (!chosen || window.innerWidth > NARROW) return;
  document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
}

// The first stop of the keyboard leads past the controls.
function offerSkip() {
  const link = document.createElement("a");
  link.className = "vstg-skip";
  link.href = "#vstg-main";
  link.textContent = "Skip to the page";
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const main = document.querySelector("[data-testid=stMain]");
    main.id = "vstg-main";
    main.tabIndex = -1;
    main.focus();
  });
  document.querySelector("[data-testid=stApp]").prepend(link);
}

function install() {
  offerSkip();
  const push = window.history.pushState.bind(window.history);
  for (const kind of ["pointerdown", "keydown"]) {
    window.addEventListener(
      kind, () => { acted = true; moving = false; }, { capture: true },
    );
  }
  window.addEventListener(
    "click", (event) => { moving = isElsewhere(event); }, { capture: true },
  );
  window.addEventListener("click", closeSidebar);
  window.history.pushState = (state, unused, url) => {
    const to = new URL(url ?? "", window.location.href);
    const samePage = to.pathname === window.location.pathname;
    if (samePage && moving) {
      return;
    }
    if (acted || !samePage) {
      push(state, unused, url);
      if (!samePage) beginAtTheTop();
    } else {
      window.history.replaceState(state, unused, url);
    }
    acted = false;
    moving = false;
  };
}

export default function () {
  if (!window.vstgHistory) {
    window.vstgHistory = true;
    install();
  }
}
