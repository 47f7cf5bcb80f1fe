// Hands what the server sends to the code that draws it (reader.js), once that is here.

export default function (component) {
  if (window.vstgDraw) return window.vstgDraw(component);
  window.addEventListener("vstg-code", () => window.vstgDraw(component), { once: true });
}
