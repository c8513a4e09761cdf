// Reads the film from the image beside this script. The code of player.js or predict.js follows in the same script.
const root = document.currentScript.parentElement;
const img = root.querySelector("img");
const bytes = Uint8Array.from(atob((img.dataset.film ?? img.src).split(",")[1]), (c) => c.charCodeAt(0));
const svg = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
// Only drawings get into the page: no scripts, event handlers, animations, files or links to other places.
svg.querySelectorAll("script,foreignObject,a,style,animate,animateMotion,animateTransform,set").forEach((part) => part.remove());
const link = /^(?!#|data:image\/(png|jpeg|gif|webp);)/, load = /url\((?!["']?#)|image(-set)?\(|src\(/i;
for (const part of [svg, ...svg.querySelectorAll("*")])
  for (const { name, value } of [...part.attributes])
    if (/^on/i.test(name) || (/href$/i.test(name) ? link : load).test(value)) part.removeAttribute(name);
const last = +svg.dataset.frames - 1;
const film = document.importNode(svg, true);
film.classList.add("film");
const panes = [film];
const sized = (pane, wide, high) => {
  pane.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  pane.setAttribute("width", wide);
  pane.setAttribute("height", high);
};
// The pseudocode, which is the last group, becomes a picture of its own, so that a narrow page shows it below the film.
if (svg.dataset.code) {
  const code = document.importNode(svg, false);
  code.setAttribute("aria-label", "pseudocode");
  code.append(film.lastElementChild);
  code.firstElementChild.removeAttribute("transform");
  sized(code, ...svg.dataset.code.split(" "));
  code.classList.add("code");
  panes.push(code);
  sized(film, ...svg.dataset.film.split(" "));
} else film.setAttribute("width", film.viewBox.baseVal.width);
const live = panes.flatMap((pane) => [...pane.querySelectorAll("[data-f]")]).map((part) =>
  [part, part.dataset.f.split(" ").map((run) => run.split("-").map(Number))]);
const host = document.createElement("div");
const shadow = host.attachShadow({ mode: "open" });
const style = `$colors
  :host{display:block;font:14px/1.4 system-ui,sans-serif;color:$ink}
  #film{display:flex;flex-wrap:wrap;gap:8px;align-items:flex-start}
  svg.film,svg.code{height:auto;display:block;border-radius:8px}
  svg.film{flex:1 1 ${0.7 * film.viewBox.baseVal.width}px;max-width:min(100%,${film.viewBox.baseVal.width}px)}
  svg.code{flex:0 1 auto;max-width:100%}
  div.bar{display:flex;gap:4px;align-items:center;flex-wrap:wrap;margin-top:6px;padding:4px 6px;background:$tile_soft;border-radius:8px;box-sizing:border-box;max-width:${Math.max(500, film.viewBox.baseVal.width)}px}
  button,select{font:inherit;color:inherit;background:$page;border:1px solid $tile_edge;border-radius:6px;height:30px;padding:0 7px;cursor:pointer}
  button svg{display:block;fill:$ink}button:hover{background:$tile}
  :focus-visible{outline:3px solid $blue;outline-offset:1px}`;
const find = (name) => shadow.getElementById(name);
// Shows one frame; returns an array of strings: its caption, then its highlighted lines of pseudocode.
const draw = (frame) => {
  for (const [part, runs] of live) {
    const seen = runs.some(([from, to]) => from <= frame && frame <= (to ?? from));
    seen ? part.removeAttribute("display") : part.setAttribute("display", "none");
  }
  host.dataset.frame = frame;
  const shown = (pane, parts) => [...pane.querySelectorAll(parts)].filter((part) => !part.closest("[display=none]"));
  const lines = panes[1] ? shown(panes[1], "[data-line]").map((mark) => +mark.dataset.line) : [];
  host.dataset.lines = lines.join(" ");
  const texts = lines.map((line) => `line ${line}: ${panes[1].querySelectorAll("text.line")[line - 1].textContent}`);
  return [shown(film, ".caption").map((text) => text.textContent)[0] ?? `frame ${frame}`, ...texts];
};
