// A field for notes that the browser keeps, one text a lesson; a file carries them on.

const KEY = "vstg-notes", LONGEST = 20000, PAUSE = 300;
let unkept = {}; // where the browser keeps nothing, as long as the page is open

function clean(found, lessons) {
  const texts = Object.entries(found && typeof found === "object" ? found : {});
  const good = texts.filter(([slug, text]) => lessons.includes(slug) && typeof text === "string" && text);
  return Object.fromEntries(good.map(([slug, text]) => [slug, text.slice(0, LONGEST)]));
}

function read(lessons) {
  try {
    return clean(JSON.parse(localStorage.getItem(KEY) ?? "{}"), lessons);
  } catch {
    return clean(unkept, lessons);
  }
}

function write(notes) {
  unkept = notes;
  try {
    localStorage.setItem(KEY, JSON.stringify(notes));
    return true;
  } catch {
    return false;
  }
}

function build(place) {
  place.innerHTML =
    '<label><span></span><textarea rows="4"></textarea></label><p aria-live="polite"></p>' +
    '<div><button type="button"></button><label class="file"><span></span>' +
    '<input type="file" accept=".json,application/json"></label></div>';
}

function save(notes, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify({ [KEY]: notes }, null, 1)], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const { lesson, lessons, words } = data;
  const place = parentElement.querySelector(".learn-notes");
  if (!place.firstChild) build(place);
  const area = place.querySelector("textarea"), say = place.querySelector("p");
  const file = place.querySelector("input"), button = place.querySelector("button");
  place.querySelector("label span").textContent = words.label;
  place.querySelector(".file span").textContent = words.load;
  button.textContent = words.save;

  const send = () => { // the handout is made by the server
    const notes = read(lessons), text = JSON.stringify(notes);
    if (text === (place.sent ?? "{}")) return;
    place.sent = text;
    setStateValue("notes", notes);
  };
  const keep = (notes) => {
    const kept = write(notes);
    say.textContent = kept ? words.kept : words.lost;
    clearTimeout(place.waiting);
    place.waiting = setTimeout(send, PAUSE);
  };

  if (place.dataset.lesson !== lesson) {
    place.dataset.lesson = lesson;
    area.value = read(lessons)[lesson] ?? "";
    say.textContent = write(read(lessons)) ? words.kept : words.lost;
    send();
  }
  area.maxLength = LONGEST;
  area.oninput = () => keep(clean({ ...read(lessons), [lesson]: area.value }, lessons));
  area.onchange = () => { clearTimeout(place.waiting); send(); };
  button.onclick = () => save(read(lessons), words.file);
  file.onchange = async () => {
    const chosen = file.files[0];
    file.value = "";
    if (!chosen) return;
    let found = {};
    try {
      found = clean(JSON.parse(await chosen.text())[KEY], lessons);
    } catch { /* said below */ }
    const count = Object.keys(found).length;
    if (count) keep({ ...read(lessons), ...found });
    area.value = read(lessons)[lesson] ?? "";
    say.textContent = (count ? words.loaded : words.bad).replace("{count}", count).replace("{name}", chosen.name);
  };
}
