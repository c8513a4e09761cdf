// A quiz: the reader predicts where the next step happens, by mouse, touch, or arrow keys and Enter; a score is kept.
const quiz = JSON.parse(img.dataset.quiz);
const asked = quiz.answers.filter((right) => right.length).length;
shadow.innerHTML = `<style>${style}
  p{margin:0 0 6px;min-height:2.8em;max-width:60em}
  b{font-weight:600}
  output{margin-left:auto;font-variant-numeric:tabular-nums}
  button[hidden]{display:none}
  .place{fill:transparent;stroke:transparent;stroke-width:2;pointer-events:all;cursor:pointer;outline:none}
  .asks .place:hover{fill:$blue;fill-opacity:.18;stroke:$blue}
  .place:focus-visible{stroke:$blue;stroke-width:4}
  .place.right{fill:$green;fill-opacity:.3;stroke:$green;stroke-width:4}
  .place.wrong{fill:$red;fill-opacity:.2;stroke:$red;stroke-width:4;stroke-dasharray:5 4}
</style><p id="question" role="status"></p><div id="film"></div><div class="bar" role="group" aria-label="quiz">
  <button id="tell">Show me</button><button id="on">Next</button><button id="again">Start again</button>
  <output id="score"></output></div>`;
find("film").append(...panes);
film.setAttribute("role", "group");
const ground = document.createElementNS(svg.namespaceURI, "g");
ground.setAttribute("transform", `translate(${quiz.shift} 0)`);
const places = quiz.places.map(([name, d], index) => {
  const place = document.createElementNS(svg.namespaceURI, "path");
  for (const [key, value] of Object.entries({ d, class: "place", role: "button", "aria-label": name, tabindex: -1, "data-place": index }))
    place.setAttribute(key, value);
  return place;
});
ground.append(...places);
film.append(ground);
let at = 0;
let open = false;
let score = 0;
let tries = 0;
let cursor = 0;
const middle = (place) => {
  const box = place.getBBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};
const stand = (index) => {
  places[cursor].setAttribute("tabindex", -1);
  cursor = index;
  places[cursor].setAttribute("tabindex", 0);
};
const text = (...parts) => {
  find("question").replaceChildren(...parts.flatMap((part, k) => {
    const piece = document.createElement(k % 2 ? "b" : "span");
    piece.textContent = part;
    return part ? [piece, " "] : [];
  }));
};
// Shows a frame with its question; `before` is a sentence about the last answer, shown first.
const show = (frame, before = "") => {
  at = frame;
  open = quiz.answers[at].length > 0;
  for (const place of places) place.classList.remove("right", "wrong");
  const [words] = draw(at);
  ground.classList.toggle("asks", open);
  find("tell").hidden = !open;
  find("on").hidden = open || at === last;
  const end = at === last ? `You predicted ${score} of ${tries} ${tries === 1 ? "step" : "steps"}.` : "";
  text(before, open ? quiz.questions[at] : end || words);
  find("score").textContent = `${score} of ${tries} right, ${asked - tries} to come`;
  Object.assign(host.dataset, { score, tries, open });
};
const next = (before) => show(at + 1, before);
const answer = (index) => {
  if (!open) return;
  const right = quiz.answers[at];
  tries += 1;
  if (right.includes(index)) {
    score += 1;
    return next(`Right: ${quiz.places[index][0]}.`);
  }
  open = false;
  ground.classList.remove("asks");
  if (index >= 0) places[index].classList.add("wrong");
  for (const one of right) places[one].classList.add("right");
  const names = right.slice(0, 3).map((one) => quiz.places[one][0]);
  if (right.length > 3) names.push(right.length > 4 ? `one of ${right.length - 3} others` : "one other");
  const other = names.pop();
  text(index < 0 ? "" : `Not ${quiz.places[index][0]}.`, `It is ${names.length ? `${names.join(", ")} or ` : ""}${other}.`);
  find("score").textContent = `${score} of ${tries} right, ${asked - tries} to come`;
  find("tell").hidden = true;
  find("on").hidden = false;
  find("on").focus();
  Object.assign(host.dataset, { score, tries, open });
};
// Returns the index of the nearest place in a direction, or -1. The distance perpendicular to the direction counts 1.5
// times: if it counted once, some edges of squares could not be reached, and if twice, some of hexagons.
const beyond = (dx, dy) => {
  const [x, y] = middle(places[cursor]);
  let best = -1;
  let least = Infinity;
  places.forEach((place, index) => {
    const [px, py] = middle(place);
    const along = (px - x) * dx + (py - y) * dy;
    const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (along > 1 && along + 1.5 * aside < least) [best, least] = [index, along + 1.5 * aside];
  });
  return best;
};
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
ground.onclick = (event) => {
  if (!event.target.dataset.place) return;
  stand(+event.target.dataset.place);
  answer(cursor);
};
ground.onkeydown = (event) => {
  if (!event.target.dataset.place) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;  // shortcuts of the browser
  stand(+event.target.dataset.place);  // a script or assistive technology may have moved the focus
  if (event.key === "Enter" || event.key === " ") answer(cursor);
  else if (arrows[event.key]) {
    const index = beyond(...arrows[event.key]);
    if (index >= 0) stand(index);
    places[cursor].focus();
  } else return;
  event.preventDefault();
};
// If the click hides "Next", the focus moves to the places, where the arrow keys work, or, at the end, to "Start again".
find("on").onclick = () => {
  next();
  if (open) places[cursor].focus();
  else if (at === last) find("again").focus();
};
find("tell").onclick = () => answer(-1);
find("again").onclick = () => { score = tries = 0; show(0); };
img.replaceWith(host);
stand(0);
show(0);
