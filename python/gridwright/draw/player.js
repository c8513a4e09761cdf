// Shows the film with buttons, a choice of speeds and a slider.
const icons = {
  first: "M4 4h2v12H4zM16 4v12L7 10z", back: "M14 4v12L5 10z", play: "M5 3v14l12-7z",
  pause: "M5 4h4v12H5zM11 4h4v12h-4z", next: "M6 4v12l9-6z", last: "M14 4h2v12h-2zM4 4v12l9-6z",
};
const icon = (name) => `<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="${icons[name]}"/></svg>`;
const button = (name, words) => `<button id="${name}" title="${words}" aria-label="${words}">${icon(name)}</button>`;
shadow.innerHTML = `<style>${style}
  input{flex:1 1 120px;min-width:90px;accent-color:$blue}
  output{min-width:5.5em;text-align:right;font-variant-numeric:tabular-nums}
</style><div id="film"></div><div class="bar" role="group" aria-label="player">
  ${button("first", "first frame")}${button("back", "one step back")}${button("play", "play or pause")}
  ${button("next", "one step forward")}${button("last", "last frame")}
  <input id="at" type="range" min="0" max="${last}" value="0" aria-label="frame">
  <select id="speed" aria-label="speed">${[0.25, 0.5, 1, 2, 4, 8].map((x) => `<option value="${x}"${x === 1 ? " selected" : ""}>${x}×</option>`).join("")}</select>
  <output aria-live="off"></output></div>`;
find("film").append(...panes);
let at = 0;
let timer = null;
const show = (frame) => {
  at = Math.max(0, Math.min(last, frame));
  const words = draw(at);
  find("at").value = at;
  find("at").setAttribute("aria-valuetext", words.join("; "));
  shadow.querySelector("output").textContent = `${at} / ${last}`;
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
// Starts the film when it first becomes visible, unless the reader prefers reduced motion.
if (last && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
  const eye = new IntersectionObserver((seen) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    eye.disconnect();
    if (!timer && at === 0) play();
  }, { threshold: 0.4 });
  eye.observe(host);
}
