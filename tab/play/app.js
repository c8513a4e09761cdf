// The page around the board: starts Python, opens the position that the URL names, and saves and shares positions.
// Rules, pictures and texts come from Python; the widget of the notebooks handles clicks and keys.

import editor from "./editor.js";
import widget from "./widget.js";

const find = (id) => document.getElementById(id);
const games = [...document.querySelectorAll("#games a")].map((link) => link.hash.slice(1));
const night = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => night.matches;
const follow = () => document.documentElement.classList.toggle("dark", isDark());
night.addEventListener("change", follow);
follow();

// The browser's local storage. The page also works if local storage is not available. All copies of the page on one
// server share it, so that games and solved levels outlast a move to another folder.
const store = {
  get(name) { try { return localStorage.getItem(`gridwright.${name}`) || ""; } catch { return ""; } },
  set(name, text) { try { localStorage.setItem(`gridwright.${name}`, text); } catch { /* e.g. a private window */ } },
};
const parse = (text) => { try { return JSON.parse(text); } catch { return null; } };

// The saved games of one kind, the latest first: one for each level that was played. Another version of the page may
// have saved them, even a single one instead of a list.
const saved = (game) => [].concat(parse(store.get(`game.${game}`))).filter((each) => Array.isArray(each?.moves));
const same = (one, other) => one.level === other.level && one.text === other.text;
const MOST = 50; // saved games of one kind

// The hash of a URL: #bloxorz, #bloxorz/level07, #bloxorz/level07&moves=2.2.1, #text=..., #bloxorz&text=...&moves=...
// A move is a list of numbers, joined by "-"; moves are joined by ".". Python rejects `null`, which stands for a part
// that is not a number.
function read(hash) {
  const place = { game: "", level: "", text: "", moves: [] };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    const value = decode(at < 0 ? part : part.slice(at + 1));
    if (at < 0) [place.game = "", place.level = ""] = value.split("/");
    else if (part.startsWith("text=")) place.text = value;
    else if (part.startsWith("moves=") && value) {
      const number = (digits) => (/^\d+$/.test(digits) ? Number(digits) : null);
      place.moves = value.split(".").map((row) => row.split("-").map(number));
    }
  }
  return place;
}
function decode(text) {
  try { return decodeURIComponent(text.replaceAll("+", " ")); } catch { return text; }
}
function write({ game, level, text, moves }, all) {
  let hash = `#${game}`;
  if (level) hash += `/${encodeURIComponent(level)}`;
  if (text) hash += `&text=${encodeURIComponent(text)}`;
  if (all && moves.length) hash += `&moves=${moves.map((row) => row.join("-")).join(".")}`;
  return hash;
}

// The connection to Python, which answers requests in the order in which the page sends them.
const worker = new Worker("worker.js");
const open = new Map();
let asked = 0;
let model = null;
function ask(name, more) {
  asked += 1;
  const id = asked;
  worker.postMessage({ id, text: JSON.stringify({ ask: name, ...more }) });
  return new Promise((resolve, reject) => open.set(id, { resolve, reject }));
}
worker.onmessage = ({ data }) => {
  if (data.kind === "ready") opened = opened.then(begin);
  else if (data.kind === "event") hear(JSON.parse(data.text));
  else if (data.kind === "answer") {
    const { value, error } = JSON.parse(data.text);
    const { resolve, reject } = open.get(data.id);
    open.delete(data.id);
    if (error === undefined) resolve(value);
    else reject(new Error(error));
  } else {
    stopped(data.text);
  }
};
worker.onerror = (event) => stopped(event.message || "worker.js could not be loaded");
const stopped = (why) => tell(`Python could not continue: ${why.replace(/\.+$/, "")}. Reload the page.`, true);

function tell(sentence, bad = false) {
  find("state").textContent = sentence;
  find("state").className = bad ? "bad" : "";
}

// Removes what was said about an earlier position: a note on its link, and the link that was copied.
function forget() {
  tell("");
  find("shared").textContent = "";
  find("link").hidden = true;
}

// Adds the stored results to the list of solved levels `text`: another tab may have stored some that Python in this tab
// does not know yet. Of two results of a level, the one with fewer moves counts.
function merged(text) {
  const known = { ...parse(store.get("solved")) };
  for (const [game, levels] of Object.entries(parse(text))) {
    known[game] = { ...known[game] };
    for (const [level, { best, optimum }] of Object.entries(levels)) {
      const old = { best: null, optimum: null, ...known[game][level] };
      const fewest = best === null || old.best === null ? best ?? old.best : Math.min(best, old.best);
      known[game][level] = { best: fewest, optimum: optimum ?? old.optimum };
    }
  }
  return JSON.stringify(known);
}
const learn = (text) => ask("solved", { text }).catch(() => {});
window.addEventListener("storage", ({ key, newValue }) => {
  if (model && key === "gridwright.solved") learn(newValue ?? "");
});

function hear(event) {
  if (event.kind === "solved") {
    const text = merged(event.text);
    store.set("solved", text);
    learn(text);
  } else if (event.kind === "board" && model) {
    const { state, picture } = event.message;
    for (const listener of model.listeners) listener(event.message);
    if (!model.fresh) {
      if ("position" in state) forget();
    } else if (picture !== undefined) {
      // The first picture makes the board visible. An element that the person has focused meanwhile keeps the focus.
      model.fresh = false;
      const board = find("place").firstElementChild.shadowRoot.getElementById("board");
      if (document.activeElement === document.body) board.focus({ preventScroll: true });
    }
    if (Object.keys(state).length) later();
  } else if (event.kind === "drawing" && drawing) {
    for (const listener of drawing.listeners) listener(event.message);
  }
}

// The model of the widget or of the editor, with the methods that a model has in a notebook.
class Model {
  constructor(menu, send) {
    // The widget shows this sentence if Python does not answer; its default sentence is meant for notebooks.
    const absent = "Python is still computing. The page will respond as soon as Python has finished.";
    this.values = { menu: { ...menu, absent }, still: "", seen: 0 };
    this.listeners = new Set();
    this.fresh = true;  // until the first picture
    this.send = send;
  }
  get(name) { return this.values[name]; }
  set(name, value) { this.values[name] = value; }
  save_changes() {}
  on(event, listener) { if (event === "msg:custom") this.listeners.add(listener); }
  off(event, listener) { this.listeners.delete(listener); }
}

let stop = null;
// Opens the position that a link names and resumes its saved game, except if the link has moves or if `fresh` is true.
async function start(link, fresh = false) {
  // If Python rejects a link and no game is open yet, the game played last is opened or, at worst, the first level.
  const places = model ? [link] : [link, wanted(""), read(games[0])];
  let answer = null;
  let note = "";
  for (const each of places.flatMap(choices)) {
    const { game, level, text } = each;
    try {
      const place = await ask("place", { game, level, text });
      const old = fresh || each.moves.length ? null : saved(place.game).find((one) => same(one, place));
      const { moves, state } = old ?? each;
      answer = await ask("start", { ...place, moves, state, dark: isDark() });
      break;
    } catch (error) {
      if (!each.stored) note ||= error.message;
    }
  }
  if (!answer) {
    tell(note, true);
    keep();  // the address names the game on the board again
    return;
  }
  leave();
  if (stop) stop();
  model = new Model(answer.menu, (event) => ask("board", { event }).catch((error) => tell(error.message, true)));
  find("place").textContent = "";
  stop = widget.render({ model, el: find("place") });
  forget();
  note ||= answer.note;
  if (note) tell(note, true);
  for (const link of document.querySelectorAll("#games a")) {
    if (link.hash === `#${answer.game}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${answer.menu.game}: play`;
}

// The position is saved shortly after each change, so that key presses do not wait for saving.
let timer = null;
function later() {
  clearTimeout(timer);
  timer = setTimeout(keep, 150);
}
async function save() {
  const place = await ask("where").catch(() => null);
  if (!place) return null;
  const others = saved(place.game).filter((one) => !same(one, place));
  store.set(`game.${place.game}`, JSON.stringify([place, ...others].slice(0, MOST)));
  store.set("last", place.game);
  return place;
}
async function keep() {
  const before = location.hash;
  const place = await save();
  if (location.hash !== before) return;  // a link that was opened meanwhile keeps its address
  const hash = place ? write(place, false) : location.hash;
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

// Returns the position that the hash of a URL names. Without a game, it stands for the game played last or, on a first
// visit, for the first game.
function wanted(hash) {
  const place = read(hash);
  if (!place.game && !place.text) place.game = games.includes(store.get("last")) ? store.get("last") : games[0];
  return place;
}
// Returns the positions that a link stands for, in the order in which they are tried. If the link names only a game,
// the level played last comes before the first level; this version may not have that level any more.
function choices(place) {
  const [last] = saved(place.game);
  if (!last || place.level || place.text || place.moves.length) return [place];
  return [{ ...place, level: last.level, text: last.text, stored: true }, place];
}

async function begin() {
  await start(wanted(location.hash));
  for (const id of ["share", "write", "watch", "keep"]) find(id).disabled = false;
  document.documentElement.dataset.ready = "yes";
  if ("serviceWorker" in navigator && window.isSecureContext) {
    // Registered last, so that the first board does not wait while files are cached for offline use.
    navigator.serviceWorker.register("service.js").catch(() => {});
  }
}
// Links are opened one after another, also if Back is pressed several times at once.
let opened = Promise.resolve();
window.addEventListener("hashchange", ({ newURL }) => {
  const { hash } = new URL(newURL);  // the address may name the game on the board again
  clearTimeout(timer);
  const next = async () => { await save(); await start(wanted(hash)); };
  opened = opened.then(next, next);
});

// Sharing.
const handler = (action) => () => {
  find("shared").textContent = "";
  action().catch((error) => { find("shared").textContent = error.message; });
};
find("share").onclick = handler(async () => {
  const place = await ask("where");
  const link = location.href.replace(/#.*$/, "") + write(place, true);
  find("link").value = link;
  find("link").hidden = false;
  try {
    await navigator.clipboard.writeText(link);
    find("shared").textContent = "Copied: the link opens this position with its moves.";
  } catch {
    find("link").select();
    find("shared").textContent = "Copy the link below: it opens this position with its moves.";
  }
});
find("keep").onclick = handler(async () => {
  const picture = await ask("picture", { dark: isDark() });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([picture], { type: "image/svg+xml" }));
  link.download = `${document.title.split(":")[0].toLowerCase()}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still read the file after the click
});
find("watch").onclick = handler(async () => {
  find("film").srcdoc = await ask("film");
  find("cinema").showModal();
});
find("end").onclick = () => find("cinema").close();
find("cinema").onclose = () => { find("film").srcdoc = ""; };

// Editing: the editor takes the place of the board, and its button "Play it" opens the level on the board.
let drawing = null;
let finish = null;
const show = (open_) => {
  find("editor").hidden = !open_;
  find("place").hidden = open_;
  for (const id of ["share", "watch", "keep", "shared"]) find(id).hidden = open_;  // they belong to the board
  if (open_) find("link").hidden = true;
  find("write").setAttribute("aria-expanded", open_);
};
const leave = () => {
  if (finish) finish();
  drawing = finish = null;
  find("drawing").textContent = "";
  show(false);
};
find("write").onclick = handler(async () => {
  if (drawing) { leave(); return; }
  const menu = { ...await ask("edit"), page: "", download: true };
  leave();  // after a double click
  drawing = new Model(menu, (event) => {
    if (event.kind === "play") take();
    else ask("draw", { event }).catch((error) => tell(error.message, true));
  });
  show(true);
  finish = editor.render({ model: drawing, el: find("drawing") });
});
const take = async () => {
  try {
    await start(await ask("drawn"), true);
    later();
  } catch (error) {
    tell(error.message, true);
  }
};
find("close").onclick = () => { leave(); find("write").focus(); };

// The picture of a game's first level is shown until Python draws the board.
const [first] = choices(wanted(location.hash));
for (const picture of document.querySelectorAll("#place picture")) {
  const [game, level] = picture.dataset.place.split("/");
  if (first.game === game && !first.text && (!first.level || first.level === level)) picture.className = "first";
}
worker.postMessage({ kind: "hello", solved: store.get("solved") });
