// The page's half of the editor: shows what the kernel sends and reports brushes, strokes and keys.
// This file contains no game rules, geometry or colors: the kernel applies the rules and sends the rest.

import { PATIENCE, STYLE, alarm, fillSettings, hideStill, isDark, keepFocus, keyName, render } from "./widget.js";

const LOOK = `${STYLE}
#palette{display:flex;flex-wrap:wrap;gap:4px;margin:8px 0;max-width:820px}
#palette button{display:inline-flex;gap:6px;align-items:center;padding:2px 9px 2px 3px}
#palette span{display:flex}#palette svg{border-radius:4px;flex:none}
#palette button[aria-checked=true]{outline:3px solid var(--ink);outline-offset:-2px;font-weight:600}
#palette button:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
#board{cursor:crosshair;touch-action:none}
#facts{font-weight:600;min-height:1.5em}
#problems{margin:2px 0;padding-left:1.3em;color:var(--bad)}
#wires{margin:2px 0;font-size:12.5px}
#size{display:inline-flex;gap:4px;align-items:center}
#size input{width:4.2em}#file{width:9em}
#text{font:13px ui-monospace,monospace;width:100%;max-width:820px;box-sizing:border-box;padding:6px}
#link{width:100%;max-width:820px}`;

// Milliseconds without a change before each search, and the seconds that each search may take, in order.
const CALM = 200;
const SEARCHES = [0.3, 0.6, 1.2, 2.4];

function renderEditor({ model, el }) {
  const menu = model.get("menu");
  const host = document.createElement("div");
  host.className = "gridwright-editor";
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = `<style>${LOOK}</style>
    <div id="absent" role="alert" hidden></div>
    <div id="all" hidden>
    <div class="bar" role="group" aria-label="editor">
      <button id="undo">Undo</button><button id="redo">Redo</button><span id="actions"></span>
      <span id="size" role="group" aria-label="size of the board">
        <input id="height" type="number" min="1" max="1000" aria-label="rows"> x
        <input id="width" type="number" min="1" max="1000" aria-label="columns"></span>
      <span id="settings"></span><span class="gap"></span>
      <button id="play" class="go">Play it</button>
      <input id="file" type="text" aria-label="name of the file" autocomplete="off" spellcheck="false">
      <button id="save">Save</button><button id="copy">Copy text</button><button id="share">Share</button>
    </div>
    <div id="palette" role="radiogroup" aria-label="brushes"></div>
    <div id="board" tabindex="0" role="application" aria-roledescription="board" aria-describedby="help"></div>
    <div id="facts" role="status"></div>
    <button id="longer" hidden>Search longer</button>
    <ul id="problems" aria-label="problems"></ul>
    <div id="wires"></div>
    <div><span id="message"></span></div>
    <input id="link" readonly hidden aria-label="link to this level">
    <details id="written"><summary>As text</summary>
      <textarea id="text" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" rows="10" aria-label="level as text" aria-describedby="message"></textarea>
    </details>
    <div id="help"></div>
    <div id="keys" hidden></div>
    <div id="live" class="spoken" role="status" aria-live="polite"></div>
    </div>
    <div id="game" hidden><button id="leave">Back to the editor</button><div id="player"></div></div>`;
  const find = (id) => root.getElementById(id);
  const board = find("board");
  const state = {};
  const sender = Math.random().toString(36).slice(2);  // names this view: all views of an editor hear each answer
  let count = 0;       // messages sent
  let heard = 0;       // number of the last message of this view that was answered
  let greeted = false;
  let since = 0;
  let search = 0;      // which of the searches is next
  let longer = 10;     // seconds of the next search on request; doubled after each, up to 60
  let calm = null;
  let promised = 0;    // seconds of the searches requested since all messages were last answered
  let replies = [];    // pairs of the number of a message and what to do once it is answered
  let note = "";       // what the page itself reports, until the next message
  let marks = "";

  const say = (kind, more, then) => {
    count += 1;
    if (heard === count - 1) since = performance.now();
    if (then) replies.push([count, then]);
    if (kind !== "facts") note = "";
    model.send({ kind, count, sender, ...more });
  };
  const seek = (seconds) => {
    promised += seconds;
    say("facts", { seconds });
  };

  // The palette is a single tab stop; the arrow keys move within it.
  const brushes = menu.brushes.map(([name, words], index) => {
    const button = document.createElement("button");
    button.setAttribute("role", "radio");
    button.title = words;
    button.dataset.brush = name;
    button.innerHTML = "<span></span>";
    button.append(name);
    button.onclick = () => say("brush", { index });
    return button;
  });
  find("palette").append(...brushes);
  find("palette").onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const index = (state.brush + step + brushes.length) % brushes.length;
    say("brush", { index });
    brushes[index].focus();
  };

  for (const name of ["undo", "redo"]) find(name).onclick = () => say(name);
  for (const [name, words] of menu.actions) {
    const button = document.createElement("button");
    button.id = `action-${name}`;
    button.textContent = name.replace(/^./, (letter) => letter.toUpperCase());
    button.title = words;
    button.onclick = () => say("action", { name });
    find("actions").append(button);
  }
  const resize = (event) => {
    const value = Number(event.target.value);
    const [height, width] = menu.square ? [value, value] : [Number(find("height").value), Number(find("width").value)];
    // A refused number gives way to the size of the board, unless something else has been typed since.
    const sent = ["height", "width"].map((name) => [find(name), name, find(name).value]);
    say("resize", { height, width }, () => {
      for (const [box, name, value] of sent) if (box.value === value) box.value = state[name];
    });
  };
  find("height").onchange = find("width").onchange = resize;
  find("longer").onclick = () => {
    const focused = root.activeElement;
    find("longer").hidden = true;
    keepFocus(focused, board);
    find("facts").textContent = `${state.facts} Searching for up to ${longer} seconds ...`;
    seek(longer);
    longer = Math.min(60, 2 * longer);
  };
  find("help").textContent = menu.help;
  const table = document.createElement("table");
  for (const [names, does] of menu.words) {
    const row = table.insertRow();
    row.insertCell();
    for (const name of names.split(", ")) {
      const key = document.createElement("kbd");
      key.textContent = name;
      row.cells[0].append(key, " ");
    }
    row.insertCell().textContent = does;
  }
  find("keys").append(table);
  root.querySelector(".bar").onkeydown = (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  };

  // The level as text. What is typed is read after each pause. The box shows the level again once it has lost the
  // focus, except that text which was refused stays in it, and the reason stays below the board.
  const text = find("text");
  let pause = null;
  let reading = 0;     // number of the last message with the text of the box
  let wrong = "";      // why the text in the box was refused
  const read = () => {
    if (pause === null) return;
    clearTimeout(pause);
    pause = null;
    say("text", { text: text.value }, () => {
      wrong = state.message;
      fill();
      showMessage();
    });
    reading = count;
  };
  const fill = () => {
    const free = root.activeElement !== text && pause === null && heard >= reading && !wrong;
    if (free && text.value !== state.text) text.value = state.text;
  };
  text.oninput = () => {
    clearTimeout(pause);
    pause = setTimeout(read, 300);
  };
  text.onblur = () => {
    read();
    fill();
  };
  text.onkeydown = (event) => event.stopPropagation();

  // Play, save, copy, share. Each waits until the text in the box has been read, and is not done if it was refused.
  const onLevel = (name, action) => {
    find(name).onclick = () => {
      read();
      const act = () => {
        if (wrong) {
          find("written").open = true;
          text.focus();
          tell(wrong);
        } else action();
      };
      if (heard >= reading) act();
      else replies.push([reading, act]);
    };
  };
  onLevel("play", () => say("play"));
  find("file").value = `${menu.name}.txt`;
  onLevel("save", () => {
    if (!menu.download) { say("save", { name: find("file").value.trim() }); return; }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([state.text], { type: "text/plain" }));
    link.download = find("file").value.trim() || `${menu.name}.txt`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still read the file after the click
  });
  const showMessage = () => { find("message").textContent = note || state.message || wrong; };
  const tell = (sentence) => {
    note = sentence;
    showMessage();
    find("live").textContent = sentence;
  };
  const copied = async (text, sentence, otherwise) => {
    try {
      await navigator.clipboard.writeText(text);
      tell(sentence);
    } catch {
      otherwise();
    }
  };
  onLevel("copy", () => copied(state.text, "Copied: the level as text.", () => {
    find("written").open = true;
    text.focus();
    text.value = state.text;
    text.select();
    tell("Copy the text below.");
  }));
  onLevel("share", () => {
    const page = menu.page || location.href.replace(/#.*$/, "");
    find("link").value = `${page}#${menu.name}&text=${encodeURIComponent(state.text)}`;
    find("link").hidden = false;
    copied(find("link").value, "Copied: the link opens this level.", () => {
      find("link").select();
      tell("Copy the link below: it opens this level.");
    });
  });

  // Strokes. A drag in progress is sent again as it grows, each time after all earlier messages have been answered.
  const place = (event) => {
    const svg = board.firstElementChild;
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  let down = null;
  let waiting = false;
  const rubber = (event) => {
    // Draws the line that follows the pointer while a wire is drawn.
    const layer = board.querySelector("#marks");
    const old = layer && layer.querySelector("#rubber");
    if (old) old.remove();
    if (!layer || !event || !menu.brushes[state.brush][2] || down.second) return;
    const line = document.createElementNS(layer.namespaceURI, "line");
    const [x, y] = place(event);
    const ends = { x1: down.path[0], y1: down.path[1], x2: x, y2: y, stroke: "var(--ink)", "stroke-width": 3, "stroke-dasharray": "5 4" };
    for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value);
    line.id = "rubber";
    layer.append(line);
  };
  board.onpointerdown = (event) => {
    if (!event.isPrimary || !board.firstElementChild || event.button === 1) return;
    down = { path: place(event), time: event.timeStamp, x: event.clientX, y: event.clientY, second: event.button === 2 || event.shiftKey };
    clearTimeout(calm);
    board.focus({ preventScroll: true });
    try { board.setPointerCapture(event.pointerId); } catch { /* the pointer is still followed while it is over the board */ }
  };
  board.onpointermove = (event) => {
    if (!down) return;
    down.path.push(...place(event));
    rubber(event);
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (down && heard === count) say("stroke", { path: down.path, second: down.second, live: true });
    });
  };
  board.onpointerup = (event) => {
    if (!down || !event.isPrimary) return;
    const { path, second } = down;
    const still = Math.hypot(event.clientX - down.x, event.clientY - down.y) < 8;
    // A long press swaps the two kinds of click.
    const held = still && event.pointerType !== "mouse" && event.timeStamp - down.time > 450;
    rubber(null);
    down = null;
    say("stroke", { path: still ? path.slice(0, 2) : path, second: second !== held });
  };
  board.onpointercancel = () => { rubber(null); down = null; say("stroke", { path: [], live: true }); };
  board.oncontextmenu = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  board.onfocus = () => { if (!down) say("focus"); };

  const own = new Set(menu.keys);
  board.onkeydown = (event) => {
    const name = event.key === "Delete" ? "delete" : keyName(event);
    if (event.altKey || !own.has(name)) return;
    event.preventDefault();
    event.stopPropagation();
    if (name === "?") find("keys").hidden = !find("keys").hidden;
    else say("key", { key: name });
  };
  // JupyterLab treats letters as shortcuts unless `data-lm-suppress-shortcuts` is set. Commands that the board does not
  // handle, such as Ctrl+S, still reach JupyterLab.
  const guard = (event) => {
    if (!event.composedPath().includes(host)) return;
    const command = event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key);
    host.toggleAttribute("data-lm-suppress-shortcuts", !command || own.has(keyName(event)));
  };
  window.addEventListener("keydown", guard, true);

  const show = (message) => {
    if (message.picture !== undefined) {
      board.innerHTML = message.picture;
      const svg = board.firstElementChild;
      // Screen readers read the label of the board instead of the picture.
      svg.setAttribute("aria-hidden", "true");
      svg.removeAttribute("role");
      const layer = document.createElementNS(svg.namespaceURI, "g");
      layer.id = "marks";
      svg.append(layer);
    }
    for (const [id, text] of Object.entries(message.changes || {})) {
      const old = board.querySelector(`[data-id="${id}"]`);
      if (!old) continue;
      const holder = document.createElementNS(board.firstElementChild.namespaceURI, "g");
      holder.innerHTML = text;
      old.replaceWith(holder.firstElementChild);
    }
    if (message.marks !== undefined) marks = message.marks;
    const layer = board.querySelector("#marks");
    if (message.marks !== undefined && layer) layer.innerHTML = marks;
  };
  const showSettings = () => fillSettings(find("settings"), state.settings, say);
  // Facts are requested after a pause, and again with more time as long as some are missing.
  const wonder = () => {
    clearTimeout(calm);
    find("longer").hidden = true;
    if (state.complete) return;
    if (search >= SEARCHES.length) {
      find("longer").hidden = false;
      return;
    }
    calm = setTimeout(() => {
      if (down || !find("game").hidden) return;
      seek(SEARCHES[search]);
      search += 1;
    }, CALM);
  };
  const hear = (news) => {
    const focused = root.activeElement;
    if ("text" in news && news.text !== state.text) {
      find("link").hidden = true;
      if (focused !== text) wrong = "";
    }
    Object.assign(state, news);
    if (news.words) board.setAttribute("aria-label", state.words);
    find("undo").disabled = !state.undo;
    find("redo").disabled = !state.redo;
    brushes.forEach((button, index) => {
      button.setAttribute("aria-checked", index === state.brush);
      button.tabIndex = index === state.brush ? 0 : -1;
    });
    if ("height" in news) find("height").value = state.height;
    if ("width" in news) find("width").value = state.width;
    if (news.settings) showSettings();
    if (news.icons) paint();
    find("play").disabled = find("save").disabled = state.problems.length > 0;
    find("facts").textContent = state.facts;
    find("wires").textContent = state.wires.length ? `Wires: ${state.wires.join("; ")}.` : "";
    if (news.problems) {
      find("problems").textContent = "";
      for (const sentence of state.problems) {
        const item = document.createElement("li");
        item.textContent = sentence;
        find("problems").append(item);
      }
    }
    fill();
    showMessage();
    // Set again even if the words are the same, so that a screen reader reads them again, but not after a search,
    // whose answer changes none of them.
    const spoken = ["message", "news", "position"].some((name) => name in news);
    if (spoken) find("live").textContent = state.news || state.message;
    if ("position" in news) [search, longer] = [0, 10];
    if ("position" in news || "complete" in news || "facts" in news || !state.complete) wonder();
    keepFocus(focused, board);
  };

  // "Play it" shows the board of the game in place of the editor.
  let leave = null;
  let entering = false;  // whether the board of the game takes the focus once it is shown
  const players = new Set();
  const play = (message) => {
    entering ||= root.activeElement !== null;
    if (leave) leave();
    find("player").textContent = "";
    const values = { menu: message.menu, still: "", seen: 0 };
    const inner = {
      get: (name) => values[name],
      set: (name, value) => { values[name] = value; },
      save_changes: () => {},
      on: (name, call) => players.add(call),
      off: (name, call) => players.delete(call),
      send: (event) => model.send({ kind: "player", sender, event }),
    };
    find("all").hidden = true;
    find("game").hidden = false;
    leave = render({ model: inner, el: find("player") });
  };
  find("leave").onclick = () => {
    if (leave) leave();
    leave = null;
    find("player").textContent = "";
    find("game").hidden = true;
    find("all").hidden = false;
    say("edit");
    board.focus({ preventScroll: true });
  };

  const listen = (message) => {
    if (!message) return;
    if (message.kind === "play" && message.sender === sender) play(message);
    if (message.kind === "player" && message.sender === sender) {
      for (const call of players) call(message.message);
      if (entering) find("player").firstElementChild.shadowRoot.getElementById("board").focus({ preventScroll: true });
      entering = false;
    }
    if (message.kind !== "update") return;
    if (message.sender === sender) heard = message.heard;
    if (heard < count) since = performance.now();
    else promised = 0;
    find("absent").hidden = true;
    if (!greeted) {
      if (message.picture === undefined) return;
      greeted = true;
      find("all").hidden = false;
      hideStill(model);
    }
    show(message);
    hear(message.state);
    const due = replies.filter(([number]) => number <= heard);
    replies = replies.filter(([number]) => number > heard);
    for (const [, then] of due) then();
  };
  model.on("msg:custom", listen);

  let dark = isDark();
  const paint = () => {
    const name = menu.fixed || (dark ? "dark" : "light");
    for (const [role, color] of Object.entries(menu.colors[name])) host.style.setProperty(`--${role}`, color);
    if (state.icons) brushes.forEach((button, at) => { button.firstElementChild.innerHTML = state.icons[name][at]; });
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
    if (heard >= count || performance.now() - since < PATIENCE + 1000 * promised) return;
    alarm(find("absent"), menu.absent || (greeted
      ? "The kernel is not responding: it is busy, or it was restarted. Run this cell again to continue."
      : "To edit here, run this cell."));
  }, 500);

  paint();
  el.append(host);
  say("hello", { dark });
  return () => {
    page.disconnect();
    clearInterval(ticking);
    clearTimeout(calm);
    window.removeEventListener("keydown", guard, true);
    if (leave) leave();
    say("bye");
    model.off("msg:custom", listen);
  };
}

export default { render: renderEditor };
