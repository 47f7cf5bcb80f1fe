// Streamlit gives every parameter that a page writes into its address an entry of its
// own in the browser's history. What is written while the visitor does nothing belongs
// to one action: it becomes one entry, so that one step back takes it back.

let acted = false; // whether the visitor has done something since the last entry

function install() {
  const push = window.history.pushState.bind(window.history);
  for (const kind of ["pointerdown", "keydown"]) {
    window.addEventListener(kind, () => { acted = true; }, { capture: true });
  }
  window.history.pushState = (state, unused, url) => {
    const page = new URL(url ?? "", window.location.href).pathname;
    if (acted || page !== window.location.pathname) {
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
