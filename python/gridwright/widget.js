// The page's half of the widget: it draws what the kernel says and tells it of clicks, keys and gestures.
// No rule of a game and no geometry stands here.

const STYLE = `
:host{display:block;font:14px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);
  --ink:#22272e;--soft:#eceef1;--face:#fff;--edge:#aab2bd;--good:#00724f;--bad:#b34700;--focus:#0072b2}
:host(.dark){--ink:#eef1f5;--soft:#262b33;--face:#3a414c;--edge:#6b7583;--good:#2fc59a;--bad:#f07b3f;--focus:#7cc7f2}
.bar{display:flex;flex-wrap:wrap;gap:5px;align-items:center;padding:6px;background:var(--soft);border-radius:8px;max-width:760px;box-sizing:border-box}
button,select,input{font:inherit;color:inherit;background:var(--face);border:1px solid var(--edge);border-radius:6px;height:30px;padding:0 9px;box-sizing:border-box}
button{cursor:pointer}button:hover:enabled{border-color:var(--ink)}button:disabled{opacity:.45;cursor:default}
button[aria-pressed=true]{background:var(--focus);color:#fff;border-color:var(--focus)}
:host(.dark) button[aria-pressed=true]{color:#12202e}
input{width:6.5em}.gap{flex:1}
#board{margin:8px 0;width:fit-content;max-width:100%;border-radius:10px;cursor:pointer;user-select:none;-webkit-user-select:none;touch-action:none}
#board svg{display:block;max-width:100%;height:auto}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
#line{display:flex;flex-wrap:wrap;gap:4px 16px;font-variant-numeric:tabular-nums;min-height:1.5em}
#message{font-weight:600;color:var(--bad)}#message.WON{color:var(--good)}
#board:focus-visible{outline-offset:-3px}
#help{opacity:.75;font-size:12px;margin-top:2px}`;

const BUTTONS = [["undo", "Undo"], ["redo", "Redo"], ["restart", "Restart"], ["hint", "Hint"], ["solve", "Solve"]];

function isDark() {
  const body = document.body;
  return body.dataset.jpThemeLight === "false" || body.classList.contains("vscode-dark") ||
    document.documentElement.classList.contains("dark") || document.documentElement.getAttribute("theme") === "dark";
}

function render({ model, el }) {
  const host = document.createElement("div");
  host.className = "gridwright-widget";
  // JupyterLab would take letters as its own short cuts.
  host.setAttribute("data-lm-suppress-shortcuts", "true");
  const root = host.attachShadow({ mode: "open" });
  const menu = model.get("menu");
  root.innerHTML = `<style>${STYLE}</style>
    <div class="bar" role="group" aria-label="game">
      ${BUTTONS.map(([name, word]) => `<button id="${name}">${word}</button>`).join("")}
      <button id="second" aria-pressed="false" hidden></button><button id="turn">View</button><span class="gap"></span>
      <select id="level" aria-label="level"><option value="">level…</option></select>
      <input id="seed" type="text" inputmode="numeric" placeholder="seed" aria-label="seed of a new puzzle">
      <button id="new">New</button>
    </div>
    <div id="board" tabindex="0" role="application" aria-roledescription="board"></div>
    <div id="line"><span id="numbers"></span><span id="clock" role="timer"></span><span id="message" role="status" aria-live="polite"></span></div>
    <div id="help"></div>`;
  const find = (id) => root.getElementById(id);
  const say = (kind, more) => model.send({ kind, ...more });
  const board = find("board");
  let second = false;
  let began = 0;
  let timer = null;

  for (const name of menu.levels) find("level").add(new Option(name, name));
  find("hint").hidden = !menu.hints;
  find("solve").hidden = !menu.solves;
  for (const id of ["seed", "new"]) find(id).hidden = !menu.seeds;
  find("level").hidden = !menu.levels.length;
  find("turn").hidden = menu.views.length < 2;
  find("second").hidden = !menu.second;
  find("second").textContent = menu.second;
  find("help").textContent = menu.help;

  for (const [name] of BUTTONS) find(name).onclick = () => say(name);
  find("second").onclick = () => {
    second = !second;
    find("second").setAttribute("aria-pressed", second);
  };
  find("turn").onclick = () => say("turn");
  find("level").onchange = (event) => event.target.value && say("level", { name: event.target.value });
  const renew = () => {
    const typed = find("seed").value.trim();
    say("new", { seed: /^\d{1,15}$/.test(typed) ? Number(typed) : null });
  };
  find("new").onclick = renew;
  find("seed").onkeydown = (event) => event.key === "Enter" && renew();
  // A number that was typed by hand is asked for; one that is only shown is not asked for again.
  find("seed").onfocus = (event) => event.target.select();

  // A place in units of the picture, wherever and however large it is shown.
  const place = (event) => {
    const svg = board.firstElementChild;
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  let down = null;
  board.onpointerdown = (event) => {
    board.focus({ preventScroll: true });
    down = { x: event.clientX, y: event.clientY, at: place(event), time: event.timeStamp };
    // A test's or a pen's made-up pointer cannot be held.
    try { board.setPointerCapture(event.pointerId); } catch { /* it is still followed while over the board */ }
  };
  board.onpointerup = (event) => {
    if (!down) return;
    const [x, y] = down.at;
    if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > 12) {
      say("drag", { path: [x, y, ...place(event)] });
    } else {
      const held = event.pointerType !== "mouse" && event.timeStamp - down.time > 450;
      say("click", { x, y, second: (second !== held) !== (event.button === 2 || event.shiftKey) });
    }
    down = null;
  };
  board.onpointercancel = () => { down = null; };
  // Neither the browser's menu nor JupyterLab's: the right button is a move.
  board.oncontextmenu = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };

  board.onkeydown = (event) => {
    const { key } = event;
    const command = event.ctrlKey || event.metaKey;
    if (key === "Tab" || event.altKey || (command && !"zyZY".includes(key)) || ["Shift", "Control", "Meta"].includes(key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (command) say(key === "z" ? "undo" : "redo");
    else say("key", { key, shift: event.shiftKey });
  };

  const clock = () => {
    const state = model.get("state");
    const seconds = Math.floor(state.seconds + (state.running ? (performance.now() - began) / 1000 : 0));
    find("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  const draw = () => {
    board.innerHTML = model.get("picture");
    // The board speaks for the picture.
    board.firstElementChild.setAttribute("aria-hidden", "true");
  };
  const tell = () => {
    const state = model.get("state");
    began = performance.now();
    board.setAttribute("aria-label", `${state.words} ${menu.help}`);
    find("undo").disabled = !state.undo;
    find("redo").disabled = !state.redo;
    find("hint").disabled = find("solve").disabled = state.status !== "OPEN";
    find("solve").textContent = state.solving ? "Stop" : "Solve";
    find("turn").textContent = `View: ${state.view}`;
    find("numbers").textContent = [`${state.moves} move${state.moves === 1 ? "" : "s"}`, ...state.scores.map(([name, n]) => `${name} ${n}`)].join(" · ");
    find("message").textContent = state.message;
    find("message").className = state.status;
    find("level").value = state.level;
    find("seed").value = state.seed ?? "";
    clock();
    // marimo runs the cells that read the widget when its page changes a value.
    if (model.get("seen") !== state.position) {
      model.set("seen", state.position);
      model.save_changes();
    }
    clearTimeout(timer);
    if (state.solving) timer = setTimeout(() => say("next", { step: state.step }), 300);
  };
  model.on("change:picture", draw);
  model.on("change:state", tell);
  const ticking = setInterval(clock, 500);
  draw();
  tell();
  el.append(host);
  let dark = false;
  const follow = () => {
    if (isDark() === dark) return;
    dark = !dark;
    host.classList.toggle("dark", dark);
    say("theme", { dark });
  };
  const page = new MutationObserver(follow);
  for (const node of [document.body, document.documentElement]) page.observe(node, { attributes: true });
  follow();
  return () => {
    page.disconnect();
    clearInterval(ticking);
    clearTimeout(timer);
    model.off("change:picture", draw);
    model.off("change:state", tell);
  };
}

export default { render };
