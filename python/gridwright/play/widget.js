// The page's half of the board: shows what the kernel sends and reports clicks, keys and gestures.
// This file contains no game rules, geometry or colors: the kernel applies the rules and sends the rest.

const STYLE = `
:host{display:block;font:14px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink)}
[hidden]{display:none!important}
.bar{display:flex;flex-wrap:wrap;gap:5px;align-items:center;padding:6px;background:var(--soft);border-radius:8px;max-width:820px;box-sizing:border-box}
button,select,input{font:inherit;color:inherit;background:var(--face);border:1px solid var(--edge);border-radius:6px;min-height:30px;padding:0 9px;box-sizing:border-box}
button{cursor:pointer}button:hover:enabled{border-color:var(--ink)}button:disabled{opacity:.5;cursor:default}
button[aria-pressed=true]{background:var(--ink);color:var(--face);border-color:var(--ink)}
button.go{background:var(--good);color:var(--face);border-color:var(--good);font-weight:600}
#seed{width:6.5em}#level{max-width:100%}.gap{flex:1}
#settings{display:flex;flex-wrap:wrap;gap:5px 10px}
.together{display:inline-flex;flex-wrap:wrap;gap:5px;align-items:center}
label{display:inline-flex;gap:5px;align-items:center}
#title{font-weight:600}#head{margin:8px 0 0;min-height:30px;display:flex;gap:10px;align-items:center}
#board{margin:6px 0;width:fit-content;max-width:100%;border-radius:10px;cursor:pointer;user-select:none;-webkit-user-select:none;touch-action:manipulation}
#board svg{display:block;max-width:100%;height:auto}
#board #marks *{pointer-events:none}
#board #marks .grab{pointer-events:all;touch-action:none}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
#board:focus-visible{outline-offset:-3px}
#line{display:flex;flex-wrap:wrap;gap:2px 16px;font-variant-numeric:tabular-nums;min-height:1.5em}
#end{display:flex;gap:8px;align-items:flex-start}#next{flex:none}#message{font-weight:600;min-height:1.5em}#message.won{color:var(--good)}#message.lost{color:var(--bad)}
#tip,#mode{font-size:13px}#tip{min-height:1.4em}
#absent{color:var(--bad);font-weight:600}
#goal,#help{font-size:12.5px;margin-top:2px;max-width:820px}
#keys{margin:6px 0;max-width:820px;background:var(--soft);border-radius:8px;padding:8px 12px}
#keys table{border-collapse:collapse}#keys td{padding:1px 14px 1px 0;vertical-align:top}
#symbols{margin-top:8px}#symbols td{vertical-align:middle}#symbols svg{display:block;width:30px;height:30px}
kbd{font:12px ui-monospace,monospace;background:var(--face);border:1px solid var(--edge);border-radius:4px;padding:0 5px}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
#pace{width:110px;padding:0}#rate{min-width:3.2em;font-variant-numeric:tabular-nums}`;

const BUTTONS = [
  ["undo", "Undo", "take the last move back"],
  ["redo", "Redo", "play again what was taken back"],
  ["restart", "Restart", "go back to the start of this puzzle"],
  ["hint", "Hint", "show the next step; press again to play it"],
  ["solve", "Solve", "watch a solution being played"],
];

// Moves per second while a solution plays, by the position of the slider.
const PACES = [1, 2, 3, 5, 10, 20, 50, 200, 1000];

const PATIENCE = 5000;  // milliseconds without an answer after which the page says that the kernel is not responding

// Hides the still picture, which only pages without a kernel need.
function hideStill(model) {
  for (const node of document.querySelectorAll(`[data-gridwright-still="${model.get("still")}"]`)) node.hidden = true;
}

function isDark() {
  const body = document.body;
  return body.dataset.jpThemeLight === "false" || body.classList.contains("vscode-dark") ||
    document.documentElement.classList.contains("dark") || document.documentElement.getAttribute("theme") === "dark" ||
    body.dataset.mdColorScheme === "slate";
}

const prefersNoMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Returns the name of a key as the kernel knows it.
function keyName(event) {
  const names = { " ": "space", Enter: "enter", Escape: "escape", Backspace: "backspace", Tab: "tab" };
  const { key } = event;
  const base = names[key] || (key.startsWith("Arrow") ? key.slice(5) : key).toLowerCase();
  const command = event.ctrlKey || event.metaKey;
  // Shift is part of the name of keys such as `left` and of commands; letters are in lower case even with Shift.
  const shift = event.shiftKey && (base.length > 1 || command);
  return (command ? "ctrl+" : "") + (shift ? "shift+" : "") + base;
}

// Shows a menu for each setting of a board in an element; a setting is an array [name, words, value, choices]. Menus
// that exist are kept, because a menu that is replaced loses the focus.
function fillSettings(place, settings, say) {
  const names = settings.map(([name]) => name).join();
  if (place.dataset.names !== names) {
    place.dataset.names = names;
    place.textContent = "";
    for (const [name, words] of settings) {
      const label = document.createElement("label");
      const select = document.createElement("select");
      select.id = `setting-${name}`;
      select.onchange = () => say("choose", { name, value: select.value });
      label.append(words, select);
      place.append(label);
    }
  }
  for (const [name, , value, choices] of settings) {
    const select = place.querySelector(`#setting-${name}`);
    const listed = [...select.options].map((option) => option.value);
    const options = choices.map((choice) => new Option(choice, choice));
    if (listed.join() !== choices.join()) select.replaceChildren(...options);
    select.value = value;
  }
}

// Moves the focus to the board if the control that had it is now disabled or hidden; the browser would drop the focus.
// The board's own handler does not run, so that a screen reader reads what happened and not the cell at the cursor.
function keepFocus(focused, board) {
  if (!focused?.matches(":disabled, [hidden], [hidden] *")) return;
  const { onfocus } = board;
  board.onfocus = null;
  board.focus({ preventScroll: true });
  board.onfocus = onfocus;
}

// Shows an alert. The same words are not set again, because a screen reader would read them again.
function alarm(place, words) {
  place.hidden = false;
  if (place.textContent !== words) place.textContent = words;
}

function render({ model, el }) {
  const menu = model.get("menu");
  const host = document.createElement("div");
  host.className = "gridwright-widget";
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = `<style>${STYLE}</style>
    <div id="absent" role="alert" hidden></div>
    <div id="all" hidden>
    <div class="bar" role="group" aria-label="game">
      ${BUTTONS.map(([name, word, does]) => `<button id="${name}" title="${does}">${word}</button>`).join("")}
      <button id="finish" title="play the solution to its end at once" hidden>To the end</button>
      <label id="speed" hidden>speed
        <input id="pace" type="range" min="0" max="${PACES.length - 1}" value="2" aria-label="moves per second">
        <span id="rate"></span></label>
      <button id="second" aria-pressed="false" hidden></button><button id="third" aria-pressed="false" hidden></button>
      <button id="view" title="show the board in another view">View</button><span class="gap"></span>
      <button id="list" title="list the keys and explain the symbols" aria-label="keys and symbols" aria-expanded="false">?</button>
      <select id="level" title="play a packaged level; ✓ marks those solved, with your moves / the fewest possible" aria-label="level"></select>
      <span class="together" role="group" aria-label="new puzzle">new puzzle:
      <select id="difficulty" title="how hard the new puzzle is" aria-label="difficulty of a new puzzle"></select>
      <input id="seed" type="text" inputmode="numeric" placeholder="seed" title="a number that names the puzzle: the same number gives the same puzzle; leave it unchanged for a random puzzle" aria-label="seed of a new puzzle" autocomplete="off">
      <button id="new" title="make a new puzzle of this size; Undo brings this one back">New</button></span>
      <span id="settings"></span>
    </div>
    <div id="head"><span id="title"></span><button id="back" title="go back to the previous puzzle" hidden></button></div>
    <div id="goal"></div>
    <div id="board" tabindex="0" role="application" aria-roledescription="board" aria-describedby="goal help"></div>
    <div id="line"><span id="numbers"></span><span id="clock" role="timer"></span></div>
    <div id="end"><button id="next" class="go" hidden></button><span id="message"></span></div>
    <div id="mode" role="status"></div>
    <div id="tip"></div>
    <div id="help"></div>
    <div id="keys" hidden><table id="symbols"></table></div>
    <div id="live" class="spoken" role="status" aria-live="polite"></div>
    </div>`;
  const find = (id) => root.getElementById(id);
  const board = find("board");
  const state = {};
  const sender = Math.random().toString(36).slice(2);  // names this view: all views of a widget hear each answer
  let count = 0;       // messages sent
  let heard = 0;       // number of the last message of this view that was answered
  let greeted = false;
  let since = 0;       // when the page began to wait for the next answer
  let began = 0;       // when `state.seconds` was received
  let timer = null;
  let marks = "";

  const say = (kind, more) => {
    count += 1;
    if (heard === count - 1) since = performance.now();
    model.send({ kind, count, sender, ...more });
  };

  find("view").hidden = menu.views.length < 2;
  [menu.second, menu.third].forEach((words, k) => {
    const id = ["second", "third"][k];
    find(id).hidden = !words;
    find(id).textContent = words.split(/,| or /)[0].replace(/^./, (letter) => letter.toUpperCase());
    find(id).title = menu.modes[k];
  });
  find("difficulty").hidden = !menu.difficulties.length;
  for (const name of ["", ...menu.difficulties]) find("difficulty").add(new Option(name || "any difficulty", name));
  find("goal").textContent = menu.goal;
  find("help").textContent = menu.help;
  const table = document.createElement("table");
  find("keys").prepend(table);
  let own = new Set();  // the keys that the board handles
  const fillKeys = () => {
    own = new Set(["?", ...state.keys.flatMap(([names]) => names.split(", "))]);
    table.textContent = "";
    for (const [names, does] of state.keys) {
      const row = table.insertRow();
      for (const name of names.split(", ")) {
        const key = document.createElement("kbd");
        key.textContent = name;
        if (row.cells.length) row.cells[0].append(" ", key);
        else row.insertCell().append(key);
      }
      row.insertCell().textContent = does;
    }
  };
  const listKeys = () => {
    const open = find("keys").hidden;
    find("keys").hidden = !open;
    find("list").setAttribute("aria-expanded", open);
    if (!open) return;
    explain();
    find("keys").scrollIntoView({ block: "nearest" });
  };
  find("list").onclick = listKeys;

  for (const [name] of BUTTONS) find(name).onclick = () => say(name);
  for (const name of ["finish", "view"]) find(name).onclick = () => say(name);
  find("back").onclick = () => say("undo");
  find("next").onclick = () => { say("next_level"); board.focus({ preventScroll: true }); };
  const toggles = { second: false, third: false };
  const toggle = (name, on) => {
    toggles[name] = on;
    find(name).setAttribute("aria-pressed", on);
    find("mode").textContent = toggles.second ? menu.modes[0] : toggles.third ? menu.modes[1] : "";
  };
  find("second").onclick = () => { toggle("second", !toggles.second); toggle("third", false); };
  find("third").onclick = () => { toggle("third", !toggles.third); toggle("second", false); };
  find("level").onchange = ({ target }) => {
    if (target.value) say("level", { name: target.value });
    else target.value = state.level;
  };
  // A typed seed is sent; the seed of the current puzzle, which the box shows, is not.
  let typed = false;
  let renewed = 0;  // number of the last message that asked for a new puzzle; 0 once it is answered
  const renew = () => {
    say("new", { seed: typed ? find("seed").value.trim() : "", difficulty: find("difficulty").value });
    renewed = count;
  };
  find("seed").oninput = () => { typed = true; };
  find("seed").onfocus = (event) => event.target.select();
  find("seed").onkeydown = (event) => { if (event.key === "Enter") renew(); };
  find("new").onclick = renew;
  // What is typed into boxes and menus must not trigger the page's shortcuts.
  root.querySelector(".bar").onkeydown = (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  };

  // Converts the pointer's position to units of the picture, wherever and however large the picture is shown.
  const place = (event) => {
    const svg = board.firstElementChild;
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  const kinds = (event, held) => {
    const second = toggles.second !== (event.button === 2 || event.shiftKey);
    const third = toggles.third || event.button === 1;
    // A long press is the third kind of click if the game has one; otherwise it swaps the first and the second kind.
    if (held) return menu.third ? { second: false, third: true } : { second: !second, third: false };
    return { second: second && !third, third };
  };
  let down = null;
  let shown = "";
  board.onpointerdown = (event) => {
    if (!event.isPrimary || !board.firstElementChild) return;
    down = { x: event.clientX, y: event.clientY, path: place(event), time: event.timeStamp };
    board.focus({ preventScroll: true });
    if (event.button === 1) event.preventDefault();  // the middle button would otherwise start to scroll the page
    // Some pointers, such as the synthetic ones of a test, cannot be captured.
    try { board.setPointerCapture(event.pointerId); } catch { /* the pointer is still followed while it is over the board */ }
  };
  let waiting = false;
  // The position of the pointer, if it has not been sent yet. It is sent only after all earlier messages have been
  // answered, and a newer position replaces it until then, so that a slow kernel is not flooded.
  let pointed = null;
  const point = () => {
    const free = heard === count && board.firstElementChild;
    if (pointed && free) say("hover", pointed);
    if (free) pointed = null;
    waiting = pointed !== null && find("absent").hidden;
    if (waiting) requestAnimationFrame(point);
  };
  board.onpointermove = (event) => {
    const [x, y] = place(event);
    if (down) down.path.push(x, y);
    if (!menu.hover || (event.pointerType === "touch" && !down)) return;
    pointed = { x, y, path: down ? down.path.slice(0, 2) : [] };
    if (!waiting) requestAnimationFrame(point);
    waiting = true;
  };
  board.onpointerleave = () => {
    pointed = null;
    if (menu.hover && !down) say("leave");
  };
  board.onpointerup = (event) => {
    if (!down || !event.isPrimary) return;
    const { path } = down;
    pointed = null;
    if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > 12) {
      say("drag", { path: [...path, ...place(event)] });
    } else {
      const held = event.pointerType !== "mouse" && event.timeStamp - down.time > 450;
      say("click", { x: path[0], y: path[1], ...kinds(event, held) });
    }
    down = null;
  };
  board.onpointercancel = () => {
    down = pointed = null;
    if (menu.hover) say("leave");
  };
  // A finger on a piece moves the piece; anywhere else it scrolls the page.
  const touch = (event) => {
    if (event.touches.length === 1 && event.target.closest && event.target.closest(".grab")) event.preventDefault();
  };
  board.addEventListener("touchstart", touch, { passive: false });
  // Neither the browser's menu nor JupyterLab's opens: the right button makes a move.
  board.oncontextmenu = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  board.onauxclick = (event) => event.preventDefault();
  board.onfocus = () => { if (!down) say("focus"); };

  board.onkeydown = (event) => {
    const name = keyName(event);
    if (event.altKey || !own.has(name)) return;
    event.preventDefault();
    event.stopPropagation();
    // A key that is held down repeats until the level ends, but does not start the next one. The kernel checks this,
    // because its last answer may not have reached the page yet.
    if (name === "?") listKeys();
    else say("key", { key: name, repeat: event.repeat });
  };
  // JupyterLab treats letters as shortcuts unless `data-lm-suppress-shortcuts` is set. Commands that the board does not
  // handle, such as Ctrl+S, still reach JupyterLab.
  const guard = (event) => {
    if (!event.composedPath().includes(host)) return;
    const command = event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key);
    host.toggleAttribute("data-lm-suppress-shortcuts", !command || own.has(keyName(event)));
  };
  window.addEventListener("keydown", guard, true);

  const elapsed = () => (state.seconds ?? 0) + (state.running ? (performance.now() - began) / 1000 : 0);
  const clock = () => {
    if (!greeted) return;
    const seconds = Math.floor(elapsed());
    find("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  // An animation lasts 150 ms; it does not delay keys, and the next picture ends it.
  const LENGTH = { duration: 150, easing: "ease-out" };
  const group = () => document.createElementNS(board.firstElementChild.namespaceURI, "g");
  let pieces = new Map();  // id -> element of the picture that changes as a whole
  const box = (node) => { try { return node.getBBox(); } catch { return null; } };
  const made = (changes, ids) => {
    const holder = group();
    holder.innerHTML = ids.map((id) => changes[id]).join("");
    return [...holder.children];
  };
  const put = (changes) => {
    const ids = Object.keys(changes);
    made(changes, ids).forEach((fresh, k) => {
      pieces.get(ids[k]).replaceWith(fresh);
      pieces.set(ids[k], fresh);
    });
  };
  const replace = (changes, motion) => {
    for (const one of root.getAnimations()) one.finish();
    const ids = Object.keys(changes);
    const fresh = made(changes, ids);
    const old = ids.map((id) => pieces.get(id));
    // If at most 12 pieces change, as when light appears, they fade in; fading in a whole board would only be slow. The
    // boxes are read in two groups, before and after the change, because each change between two reads would make the
    // browser lay out the picture again.
    const moves = (k) => motion?.ids.includes(ids[k]) || fresh[k].dataset.motion === "move" ||
      (ids.length <= 12 && (fresh[k].dataset.motion || ids[k].startsWith("c")));
    const moving = prefersNoMotion() ? [] : ids.map((_, k) => k).filter(moves);
    const from = moving.map((k) => box(old[k]));
    ids.forEach((id, k) => {
      old[k].replaceWith(fresh[k]);
      pieces.set(id, fresh[k]);
    });
    const to = moving.map((k) => box(fresh[k]));
    moving.forEach((k, n) => animate(ids[k], old[k], fresh[k], from[n], to[n], motion));
  };
  // The kernel draws the steps from one position to the next; each has the pieces that differ from the step before.
  let frames = [];
  const roll = (all) => {
    const mine = frames = [...all];
    const began = performance.now();
    const next = () => {
      const due = Math.floor((performance.now() - began) / LENGTH.duration * all.length);
      while (mine.length && all.length - mine.length <= due) put(mine.shift());
      if (mine.length) requestAnimationFrame(next);
    };
    next();
  };
  const animate = (id, old, fresh, from, to, motion) => {
    if (!fresh.animate) return;
    if (motion && motion.ids.includes(id) && motion.angle) {
      const angle = motion.kind === "turn" ? -motion.angle : motion.angle;
      fresh.style.transformBox = "fill-box";
      fresh.style.transformOrigin = "center";
      fresh.animate([{ transform: `rotate(${angle}deg)` }, { transform: "none" }], LENGTH);
    } else if (motion && motion.kind === "fall" && fresh.dataset.motion === "move") {
      const lost = old.cloneNode(true);
      fresh.before(lost);
      const [dx, dy] = motion.step;
      lost.style.transformBox = "fill-box";
      lost.style.transformOrigin = "center";
      const gone = `translate(${dx}px,${dy}px) scale(.3)`;
      lost.animate([{ transform: "none", opacity: 1 }, { transform: gone, opacity: 0 }], LENGTH).onfinish = () => lost.remove();
      fresh.animate([{ opacity: 0 }, { opacity: 1 }], LENGTH);
    } else if (fresh.dataset.motion === "move" && from && to && from.width && to.width &&
        (from.x !== to.x || from.y !== to.y || from.width !== to.width)) {
      // The piece moves from its old place to the new one and takes its new size on the way.
      const sx = from.width / to.width;
      const sy = from.height && to.height ? from.height / to.height : 1;
      const start = `translate(${from.x - to.x * sx}px,${from.y - to.y * sy}px) scale(${sx},${sy})`;
      fresh.animate([{ transform: start }, { transform: "none" }], LENGTH);
    } else {
      fresh.animate([{ opacity: .3 }, { opacity: 1 }], LENGTH);
    }
  };

  const show = (message) => {
    // Frames that are still to be shown are applied at once, because the next changes build on the last frame.
    while (frames.length) put(frames.shift());
    if (message.picture !== undefined) {
      board.innerHTML = message.picture;
      const svg = board.firstElementChild;
      // Screen readers read the label of the board instead of the picture.
      svg.setAttribute("aria-hidden", "true");
      svg.removeAttribute("role");
      const layer = group();
      layer.id = "marks";
      svg.append(layer);
      pieces = new Map([...svg.querySelectorAll("[data-id]")].map((node) => [node.dataset.id, node]));
    }
    if (message.frames && !prefersNoMotion()) roll(message.frames);
    else if (message.changes) replace(message.changes, message.motion);
    if (message.marks !== undefined) marks = message.marks;
    const layer = board.querySelector("#marks");
    if (message.marks !== undefined && layer) layer.innerHTML = marks;
  };

  const showSettings = () => fillSettings(find("settings"), state.settings, say);
  const explain = () => {
    find("symbols").textContent = "";
    const svg = board.querySelector("svg");
    for (const [symbol, words, box] of [...state.legend, ...(state.par ? [["", state.par, null]] : [])]) {
      const row = find("symbols").insertRow();
      const cell = row.insertCell();
      row.insertCell().textContent = words;
      if (box && svg) {
        // The symbol is cut out of the current picture.
        const copy = svg.cloneNode(true);
        copy.querySelector("#marks")?.remove();
        copy.setAttribute("viewBox", box.join(" "));
        copy.removeAttribute("width");
        copy.removeAttribute("height");
        cell.append(copy);
      } else cell.textContent = symbol;
    }
  };
  const list = () => {
    const select = find("level");
    select.textContent = "";
    select.add(new Option("level…", ""));
    for (const [name, grade, solved, best, optimum] of state.levels) {
      const counts = best === null ? "" : ` ${best}${optimum === null ? "" : `/${optimum}`}`;
      select.add(new Option(`${name}${grade ? ` · ${grade}` : ""}${solved ? ` ✓${counts}` : ""}`, name));
    }
  };
  const tell = (news) => {
    const focused = root.activeElement;
    const before = elapsed();
    const ran = state.running;
    Object.assign(state, news);
    if ("seconds" in news || "running" in news) {
      // The state is a few milliseconds old by now, so a running clock is not set back by less than a second.
      if (ran && state.running && Math.abs(before - state.seconds) < 1) state.seconds = Math.max(before, state.seconds);
      began = performance.now();
    }
    if (news.words) board.setAttribute("aria-label", state.words);
    find("undo").disabled = !state.undo;
    find("back").hidden = !state.back;
    find("back").textContent = `Back to ${state.back}`;
    find("redo").disabled = !state.redo;
    const over = state.status !== "OPEN";
    find("hint").disabled = over;
    find("solve").disabled = over;
    find("finish").hidden = find("speed").hidden = !state.solving;
    find("solve").textContent = state.solving ? "Stop" : "Solve";
    find("view").textContent = `View: ${state.view}`;
    find("title").textContent = state.title;
    find("numbers").textContent = state.scores
      .map(([name, value, goal]) => (goal === null ? `${name} ${value}` : `${name} ${value} of ${goal}`)).join(" · ");
    find("numbers").title = state.par;
    find("message").textContent = state.message;
    find("message").className = state.outcome;
    find("tip").textContent = state.tip;
    find("next").hidden = !state.next;
    find("next").textContent = `Next: ${state.next}`;
    if (news.levels) list();
    if (news.settings) showSettings();
    if (news.keys) fillKeys();
    find("level").value = state.level;
    find("level").hidden = !state.levels.length;
    if ("seed" in news || "level" in news) {
      find("seed").value = state.seed ?? "";
      typed = false;
    }
    if (renewed && heard >= renewed) {
      // The puzzle of the typed seed may be the one that was on the board before.
      if (find("seed").value.trim().replace(/^0+(?=\d)/, "") === state.seed) typed = false;
      renewed = 0;
    }
    // Set again even if the words are the same, so that a screen reader reads them again.
    if (news.news !== undefined || news.position !== undefined) find("live").textContent = state.news;
    clock();
    // When the page changes a value of the widget, marimo reruns the cells that read the widget.
    if (model.get("seen") !== state.position) {
      model.set("seen", state.position);
      model.save_changes();
    }
    keepFocus(focused, board);
    // Other news, such as that of a pointer that moves, must not delay the next step of a solution.
    if ("step" in news || "solving" in news) schedule();
  };
  const pace = () => PACES[find("pace").value];
  const atOnce = () => Math.ceil(pace() / 20);  // moves per request, so that there are at most 20 requests per second
  const steps = () => say("steps", { step: state.step, moves: atOnce() });
  const schedule = () => {
    clearTimeout(timer);
    if (state.solving) timer = setTimeout(steps, 1000 * atOnce() / pace());
  };
  const showPace = () => {
    find("rate").textContent = `${pace()}/s`;
    find("pace").setAttribute("aria-valuetext", pace());
  };
  showPace();
  find("pace").oninput = () => {
    showPace();
    schedule();
  };

  const listen = (message) => {
    if (!message || message.kind !== "update") return;
    if (message.sender === sender) heard = message.heard;
    if (heard < count) since = performance.now();
    find("absent").hidden = true;
    if (!greeted) {
      if (message.picture === undefined) return;
      greeted = true;
      find("all").hidden = false;
      hideStill(model);
    }
    show(message);
    tell(message.state);
    if (!find("keys").hidden && (message.picture !== undefined || message.state.legend)) explain();
  };
  model.on("msg:custom", listen);

  let dark = isDark();
  const paint = () => {
    const colors = menu.colors[menu.fixed || (dark ? "dark" : "light")];
    for (const [role, color] of Object.entries(colors)) host.style.setProperty(`--${role}`, color);
    host.classList.toggle("dark", dark);
  };
  const follow = () => {
    if (isDark() === dark) return;
    dark = !dark;
    paint();
    say("theme", { dark });
  };
  const page = new MutationObserver(follow);
  for (const node of [document.body, document.documentElement]) page.observe(node, { attributes: true });

  const ticking = setInterval(() => {
    clock();
    if (heard >= count || performance.now() - since < PATIENCE) return;
    alarm(find("absent"), menu.absent || (greeted
      ? "The kernel is not responding: it is busy, or it was restarted. Run this cell again to continue playing."
      : "To play here, run this cell."));
  }, 500);

  paint();
  el.append(host);
  say("hello", { dark });
  return () => {
    page.disconnect();
    clearInterval(ticking);
    clearTimeout(timer);
    window.removeEventListener("keydown", guard, true);
    say("bye");
    model.off("msg:custom", listen);
  };
}

export { PATIENCE, STYLE, alarm, fillSettings, hideStill, isDark, keepFocus, keyName, render };
export default { render };
