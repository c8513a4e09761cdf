// Turns the self-playing picture beside this script into a player: buttons, speeds, a slider.
(() => {
  const root = document.currentScript.parentElement;
  const img = root.querySelector("img");
  const bytes = Uint8Array.from(atob(img.src.split(",")[1]), (c) => c.charCodeAt(0));
  const svg = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
  // Nothing but shapes comes into the page: no scripts, no handlers, no links out of the picture.
  svg.querySelectorAll("script,foreignObject,a,style").forEach((part) => part.remove());
  for (const part of [svg, ...svg.querySelectorAll("*")])
    for (const { name, value } of [...part.attributes])
      if (/^on/i.test(name) || (/href$/i.test(name) && !/^(#|data:image\/(png|jpeg|gif|webp);)/.test(value))) part.removeAttribute(name);
  const last = +svg.dataset.frames - 1;
  const parts = [...svg.querySelectorAll("[data-f]")].map((part) => {
    part.querySelector("animate").remove();
    return [part, part.dataset.f.split(" ").map((run) => run.split("-").map(Number))];
  });
  const host = document.createElement("div");
  const shadow = host.attachShadow({ mode: "open" });
  const icons = {
    first: "M4 4h2v12H4zM16 4v12L7 10z", back: "M14 4v12L5 10z", play: "M5 3v14l12-7z",
    pause: "M5 4h4v12H5zM11 4h4v12h-4z", next: "M6 4v12l9-6z", last: "M14 4h2v12h-2zM4 4v12l9-6z",
  };
  const icon = (name) => `<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="${icons[name]}"/></svg>`;
  const button = (name, words) => `<button id="${name}" title="${words}" aria-label="${words}">${icon(name)}</button>`;
  shadow.innerHTML = `<style>
    :host{display:block;font:14px/1.4 system-ui,sans-serif;color:$ink}
    svg.film{max-width:100%;height:auto;display:block;border-radius:8px}
    div.bar{display:flex;gap:4px;align-items:center;flex-wrap:wrap;margin-top:6px;padding:4px 6px;background:$tile_soft;border-radius:8px;box-sizing:border-box}
    button,select{font:inherit;color:inherit;background:$page;border:1px solid $tile_edge;border-radius:6px;height:30px;padding:0 7px;cursor:pointer}
    button svg{display:block;fill:$ink}button:hover{background:$tile}
    :focus-visible{outline:3px solid $blue;outline-offset:1px}
    input{flex:1 1 120px;min-width:90px;accent-color:$blue}
    output{min-width:5.5em;text-align:right;font-variant-numeric:tabular-nums}
  </style><div id="film"></div><div class="bar" role="group" aria-label="player">
    ${button("first", "first frame")}${button("back", "one step back")}${button("play", "play or pause")}
    ${button("next", "one step on")}${button("last", "last frame")}
    <input id="at" type="range" min="0" max="${last}" value="0" aria-label="frame">
    <select id="speed" aria-label="speed">${[0.25, 0.5, 1, 2, 4, 8].map((x) => `<option value="${x}"${x === 1 ? " selected" : ""}>${x}×</option>`).join("")}</select>
    <output aria-live="off"></output></div>`;
  const find = (name) => shadow.getElementById(name);
  svg.classList.add("film");
  svg.setAttribute("width", svg.viewBox.baseVal.width);
  shadow.querySelector(".bar").style.maxWidth = `${Math.max(500, svg.viewBox.baseVal.width)}px`;
  find("film").append(document.importNode(svg, true));
  const film = shadow.querySelector("svg.film");
  const live = [...film.querySelectorAll("[data-f]")].map((part, k) => [part, parts[k][1]]);
  let at = 0;
  let timer = null;
  const show = (frame) => {
    at = Math.max(0, Math.min(last, frame));
    for (const [part, runs] of live) {
      const seen = runs.some(([from, to]) => from <= at && at <= (to ?? from));
      seen ? part.removeAttribute("display") : part.setAttribute("display", "none");
    }
    const words = [...film.querySelectorAll(".caption")].find((text) => !text.closest("[display=none]"));
    find("at").value = at;
    find("at").setAttribute("aria-valuetext", words ? words.textContent : `frame ${at}`);
    shadow.querySelector("output").textContent = `${at} / ${last}`;
    host.dataset.frame = at;
  };
  const pause = () => {
    clearTimeout(timer);
    timer = null;
    find("play").innerHTML = icon("play");
  };
  const tick = () => {
    if (!root.isConnected) return pause();
    if (at === last) return pause();
    show(at + 1);
    timer = setTimeout(tick, (1000 * svg.dataset.seconds) / find("speed").value);
  };
  const play = () => {
    if (at === last) show(0);
    find("play").innerHTML = icon("pause");
    timer = setTimeout(tick, (1000 * svg.dataset.seconds) / find("speed").value);
  };
  const to = (frame) => { pause(); show(frame); };
  find("first").onclick = () => to(0);
  find("back").onclick = () => to(at - 1);
  find("next").onclick = () => to(at + 1);
  find("last").onclick = () => to(last);
  find("play").onclick = () => (timer ? pause() : play());
  find("at").oninput = () => to(+find("at").value);
  img.replaceWith(host);
  show(0);
  // Starts when it is first visible, unless the reader prefers reduced motion.
  if (last && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    const eye = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      eye.disconnect();
      if (!timer && at === 0) play();
    }, { threshold: 0.4 });
    eye.observe(host);
  }
})();
