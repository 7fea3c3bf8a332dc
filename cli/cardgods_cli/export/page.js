"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  const [BACK, FREE] = [-1, -2];
  let lang = Math.max(0, game.languages.indexOf(game.start));
  let at = 0;
  let shown = new Map();

  const pick = (versions) => (versions.length > 1 ? versions[lang] : versions[0]);
  const text = (number) => pick(game.texts[number]);
  const label = (key) => pick(game.labels[key]);

  const make = (tag, name, content) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (content !== undefined) element.textContent = content;
    return element;
  };

  const card = (number, fresh) => {
    let element;
    let name;
    if (number === BACK || number === FREE) {
      element = make("span", number === BACK ? "card back" : "card free");
      name = label(number === BACK ? "facedown" : "free");
    } else {
      const [corner, sign, style, words] = game.faces[number];
      element = make("span", "card " + style);
      element.append(text(corner), make("i", "", sign));
      name = text(words);
    }
    if (fresh) element.classList.add("new");
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", name);
    element.title = name;
    return element;
  };

  // A card is new where one more of its kind lies in a row than a moment ago.
  const counter = (key, before, now) => (number) => {
    const mark = key + "/" + number;
    now.set(mark, (now.get(mark) || 0) + 1);
    return number >= 0 && before !== null && now.get(mark) > (before.get(mark) || 0);
  };

  const rowOf = (row, fresh) => {
    const [name, cards, small, below] = row;
    const list = make("ul", small ? "row small" : "row");
    cards.forEach((number, place) => {
      const item = make("li");
      item.append(card(number, fresh(number)));
      if (below && below[place].length) {
        const hanging = make("ul", "below");
        for (const other of below[place]) {
          const under = make("li");
          under.append(card(other, fresh(other)));
          hanging.append(under);
        }
        item.append(hanging);
      }
      list.append(item);
    });
    const parts = [];
    if (text(name)) {
      list.setAttribute("aria-label", text(name));
      parts.push(make("p", "label", text(name)));
    }
    return [...parts, list];
  };

  const zoneOf = (zone, seats, fronts, before, now) => {
    const [area, title, notes, rows, active] = zone;
    const width = fronts ? "" : seats > 2 && (seats % 3 === 0 || seats > 4) ? " third" : " half";
    const section = make("section", "zone " + area + (area === "seat" ? width : "") + (active ? " on" : ""));
    const head = make("div");
    head.append(make("h2", "", text(title)));
    if (active) head.append(make("span", "note turn", label("turn")));
    for (const note of notes) head.append(make("span", "note", text(note)));
    section.append(head);
    rows.forEach((row, number) => {
      if (!row[1].length && !text(row[0])) return;
      section.append(...rowOf(row, counter(area + "/" + text(title) + "/" + number, before, now)));
    });
    return section;
  };

  const drawBoard = (step, before) => {
    const now = new Map();
    const zones = step[2].map((number) => game.zones[number]);
    const seats = zones.filter((zone) => zone[0] === "seat").length;
    const fronts = zones.some((zone) => zone[0] === "front");
    $("board").replaceChildren(...zones.map((zone) => zoneOf(zone, seats, fronts, before, now)));
    shown = now;
  };

  const drawMoves = () => {
    const buttons = document.querySelectorAll("#moves button");
    buttons.forEach((button, number) => {
      if (number === at) {
        button.setAttribute("aria-current", "step");
        const list = $("moves");
        const top = button.offsetTop - list.offsetTop;
        if (top < list.scrollTop + 40 || top > list.scrollTop + list.clientHeight - 60) list.scrollTop = top - 80;
      } else {
        button.removeAttribute("aria-current");
      }
    });
  };

  const draw = (before) => {
    const step = game.steps[at];
    const end = game.steps.length - 1;
    $("news").replaceChildren(...step[1].map((number) => make("p", "", text(number))));
    drawBoard(step, before);
    drawMoves();
    $("place").value = String(at);
    $("place").setAttribute("aria-valuetext", text(step[1][0]));
    $("count").textContent = label("step").replace("{at}", at + 1).replace("{all}", end + 1);
    $("first").disabled = $("back").disabled = at === 0;
    $("next").disabled = $("last").disabled = at === end;
  };

  const go = (where) => {
    const to = Math.min(Math.max(where, 0), game.steps.length - 1);
    if (to === at) return;
    const before = to === at + 1 ? shown : null;
    at = to;
    draw(before);
    history.replaceState(null, "", "#" + game.steps[at][0]);
  };

  const speak = () => {
    root.lang = game.languages[lang];
    for (const id of ["first", "back", "next", "last"]) {
      $(id).setAttribute("aria-label", label(id));
      $(id).title = label(id);
    }
    $("place").setAttribute("aria-label", label("place"));
    $("moves").setAttribute("aria-label", label("moves"));
    $("moves").querySelector("h2").textContent = label("moves");
    $("stage").setAttribute("aria-label", label("board"));
    $("keys").textContent = label("keys");
    $("lang").textContent = game.languages[(lang + 1) % game.languages.length].toUpperCase();
    $("lang").setAttribute("aria-label", label("language"));
    $("lang").title = label("language");
    $("theme").textContent = "◐";
    $("theme").setAttribute("aria-label", label("light"));
    $("theme").title = label("light");
    const list = document.querySelector("#moves ol");
    list.replaceChildren(...game.steps.map((step, number) => {
      const item = make("li");
      const button = make("button");
      button.type = "button";
      button.append(make("span", "", step[1].map(text).join(" ")));
      button.addEventListener("click", () => go(number));
      item.append(button);
      return item;
    }));
    draw(null);
  };

  const wishesDark = matchMedia("(prefers-color-scheme: dark)");
  const light = (dark) => { root.dataset.theme = dark ? "dark" : "light"; };
  light(wishesDark.matches);
  wishesDark.addEventListener("change", (event) => light(event.matches));

  const KEYS = {
    ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), " ": () => go(at + 1),
    PageDown: () => go(at + 10), PageUp: () => go(at - 10), Home: () => go(0), End: () => go(Infinity),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === $("place")) return;
    if (event.key === " " && event.target instanceof HTMLButtonElement) return;
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  $("first").addEventListener("click", () => go(0));
  $("back").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", () => go(at + 1));
  $("last").addEventListener("click", () => go(Infinity));
  $("place").addEventListener("input", () => go(Number($("place").value)));
  $("lang").addEventListener("click", () => { lang = (lang + 1) % game.languages.length; speak(); });
  $("theme").addEventListener("click", () => light(root.dataset.theme !== "dark"));

  let from = null;
  $("board").addEventListener("pointerdown", (event) => {
    from = event.pointerType === "touch" ? event.clientX : null;
  });
  $("board").addEventListener("pointerup", (event) => {
    if (from === null) return;
    const way = event.clientX - from;
    from = null;
    if (Math.abs(way) > 40) go(at + (way < 0 ? 1 : -1));
  });

  $("place").max = String(game.steps.length - 1);
  for (const part of document.querySelectorAll("[hidden]")) part.hidden = false;
  const asked = Number(location.hash.slice(1)) || 0;
  at = Math.max(0, game.steps.filter((step) => step[0] <= asked).length - 1);
  speak();
})();
