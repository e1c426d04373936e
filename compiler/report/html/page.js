// The report's own script: no library, nothing loaded. Every text of the model is put in as text, never as markup.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = (index) => data.strings[index];
  const SVG = "http://www.w3.org/2000/svg";
  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value === true) element.setAttribute(key, "");
      else if (value !== false && value != null) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  };
  const draw = (name, attributes, ...children) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  // Light or dark: as the system has it, until somebody chooses.
  const theme = document.getElementById("theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  const CHARACTER = 7.25, LINE = 16, MARGIN = 78, NEAR = 6;
  const TONES = ["", "faint", "strong", "odd", "bad"];
  const wrap = (words, columns) => {
    const lines = [""];
    for (let word of words.split(/\s+/)) {
      for (;;) {
        const last = lines[lines.length - 1];
        if (last === "" && word.length > columns) {
          lines[lines.length - 1] = word.slice(0, columns);
          word = word.slice(columns);
          lines.push("");
        } else if (last === "" || last.length + 1 + word.length <= columns) {
          lines[lines.length - 1] = last === "" ? word : last + " " + word;
          break;
        } else lines.push("");
      }
    }
    return lines.filter((line, index) => line !== "" || index === 0);
  };
  const short = (words, columns) => (words.length <= columns ? words : words.slice(0, Math.max(1, columns - 1)) + "…");

  // A run as a chart: what is to be seen is drawn, and only that.
  class Chart {
    constructor(run, choose) {
      this.run = run;
      this.choose = choose;
      this.shown = run.lanes.map(() => true);
      this.step = 0;
      this.found = new Set();
      this.names = draw("svg", { class: "names", "aria-hidden": "true" });
      this.rows = make("div", { class: "rows" });
      this.box = make("div", { class: "chart", tabindex: "0", role: "img", "aria-label": "sequence chart; the words of each step are above" }, this.names, this.rows);
      this.box.addEventListener("scroll", () => this.later());
      new ResizeObserver(() => { this.measure(); this.paint(); }).observe(this.box);
      this.measure();
    }

    // Lanes that are shown, their places, and the height of every row.
    measure() {
      const { lanes, rows, messages } = this.run;
      const visible = this.shown.filter(Boolean).length || 1;
      const room = (this.box.clientWidth || 900) - MARGIN - 16;
      const longest = messages.reduce((most, m) => Math.max(most, m.label.length), 12);
      const least = Math.min(150, Math.max(110, longest * CHARACTER + 46));
      this.lane = Math.max(least, Math.min(260, room / visible));
      let place = 0;
      this.x = lanes.map((_, index) => (this.shown[index] ? MARGIN + 20 + this.lane * place++ : -1));
      this.width = MARGIN + 20 + this.lane * place;
      this.columns = Math.floor((this.lane - 24) / CHARACTER);
      this.top = new Float64Array(rows.length + 1);
      this.lines = new Array(rows.length);
      let y = 8;
      rows.forEach((row, index) => {
        if (this.run.loop >= 0 && index === this.run.loopRow) y += 24;
        const rule = this.run.rules.find((rule) => rule.row === index);
        if (rule) y += 26;
        const hidden = !this.isShown(row);
        let lines = [];
        if (!hidden && row.kind === "mark") lines = wrap(row.words, this.columns).slice(0, 6);
        this.lines[index] = lines;
        this.top[index] = y;
        y += hidden ? 0 : 14 + LINE * Math.max(1, lines.length);
      });
      this.top[rows.length] = y;
      this.height = y + 40;
      this.rows.style.height = this.height + "px";
      this.rows.style.width = this.width + "px";
      this.names.setAttribute("width", this.width);
      this.names.setAttribute("height", 28);
      this.names.replaceChildren(...lanes.flatMap((lane, index) => {
        if (!this.shown[index]) return [];
        const label = draw("text", { x: this.x[index] - 8, y: 19, class: "name" }, short(lane.name, Math.floor(this.lane / CHARACTER) - 1));
        label.append(draw("title", {}, lane.name));
        return [label];
      }));
      this.drawn = null;
    }

    isShown(row) {
      if (row.kind === "mark") return this.shown[row.lane];
      if (row.kind === "note") return true;
      const message = this.run.messages[row.message];
      return this.shown[message.from] || (message.to >= 0 && this.shown[message.to]);
    }

    // The first row that ends below a height.
    rowAt(y) {
      let low = 0, high = this.run.rows.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.top[middle + 1] <= y) low = middle + 1; else high = middle;
      }
      return low;
    }

    later() {
      if (!this.waiting) {
        this.waiting = true;
        requestAnimationFrame(() => { this.waiting = false; this.paint(); });
      }
    }

    go(step) {
      this.step = step;
      const row = this.run.rowOf[step];
      if (row >= 0) {
        const top = this.top[row], bottom = this.top[row + 1];
        const view = this.box.clientHeight - 28;
        if (top < this.box.scrollTop + 20 || bottom > this.box.scrollTop + view - 40) {
          this.box.scrollTop = Math.max(0, top - view / 2);
        }
        const at = this.run.rows[row];
        const lane = at.kind === "mark" ? at.lane : at.kind === "note" ? -1 : this.run.messages[at.message].from;
        if (lane >= 0 && this.x[lane] >= 0) {
          const left = this.box.scrollLeft, view = this.box.clientWidth;
          if (this.x[lane] < left + MARGIN || this.x[lane] + this.lane > left + view) this.box.scrollLeft = Math.max(0, this.x[lane] - view / 2);
        }
      } else if (step === 0) this.box.scrollTop = 0;
      this.drawn = null;
      this.paint();
    }

    paint() {
      const from = Math.max(0, this.rowAt(this.box.scrollTop - 400));
      const to = Math.min(this.run.rows.length, this.rowAt(this.box.scrollTop + this.box.clientHeight + 400) + 1);
      const key = from + ":" + to;
      if (this.drawn === key) return;
      this.drawn = key;
      const atEnd = to === this.run.rows.length;
      const begin = from === 0 ? 0 : this.top[from];
      const end = atEnd ? this.height : this.top[to];
      const wide = Math.max(this.width, this.box.clientWidth - 2);
      const picture = draw("svg", { width: wide, height: end - begin, viewBox: `0 ${begin} ${wide} ${end - begin}`, "aria-hidden": "true" });
      picture.style.top = begin + "px";
      // What lies under the lanes: the step that is shown.
      for (let index = from; index < to; index++) this.band(picture, index);
      this.lifelines(picture, begin, end);
      this.bracket(picture, begin, end);
      for (const rule of this.run.rules) {
        const y = (rule.row < this.run.rows.length ? this.top[rule.row] : this.top[this.run.rows.length] + 26) - 13;
        if (y >= begin && y <= end) {
          picture.append(draw("path", { class: "rule " + TONES[rule.tone], d: `M${MARGIN + 4} ${y}H${this.width - 8}` }));
          const width = rule.text.length * CHARACTER + 12;
          picture.append(draw("rect", { class: "back", x: MARGIN + 26, y: y - 9, width, height: 18 }));
          picture.append(draw("text", { class: "t-" + TONES[rule.tone], x: MARGIN + 32, y: y + 4 }, rule.text));
        }
      }
      for (let index = from; index < to; index++) this.row(picture, index);
      // Arrows over several rows, whose ends may be out of sight.
      this.run.messages.forEach((message) => {
        if (message.sentRow >= 0 && message.gotRow >= 0 && message.gotRow > message.sentRow && message.gotRow - message.sentRow <= NEAR
          && message.gotRow >= from && message.sentRow < to) {
          this.arrow(picture, message, this.middle(message.sentRow), this.middle(message.gotRow));
        }
      });
      this.rows.replaceChildren(picture);
    }

    middle(row) { return this.top[row] + 7 + LINE / 2; }

    lifelines(picture, begin, end) {
      this.run.lanes.forEach((lane, index) => {
        if (!this.shown[index]) return;
        const x = this.x[index];
        lane.life.forEach(([step, life], part) => {
          const next = lane.life[part + 1];
          const top = part === 0 ? 0 : this.middleOf(step - 1);
          const bottom = next ? this.middleOf(next[0] - 1) : this.height;
          const a = Math.max(top, begin), b = Math.min(bottom, end);
          if (life < 2 && a < b) picture.append(draw("path", { class: life ? "lane ended" : "lane", d: `M${x} ${a}V${b}` }));
        });
      });
    }

    middleOf(step) {
      const row = this.run.rowOf[step + 1];
      return row >= 0 ? this.middle(row) : this.height;
    }

    bracket(picture, begin, end) {
      if (this.run.loop < 0) return;
      const top = this.top[this.run.loopRow] - 12;
      const bottom = this.top[this.run.lastRow + 1] + 4;
      if (bottom < begin || top > end) return;
      const left = MARGIN - 8, right = MARGIN + 2;
      picture.append(draw("path", { class: "loop", d: `M${right} ${top}H${left}V${bottom}H${right}` }));
      picture.append(draw("path", { class: "loop", d: `M${right - 4} ${bottom - 4}l5 4l-5 4` }));
      picture.append(draw("text", { class: "t-odd", x: right + 8, y: top + 4 }, "from here on for ever"));
    }

    isHere(index) {
      const { step, last } = this.run.rows[index];
      return this.step > 0 && (this.run.rowOf[this.step] === index || (this.step - 1 >= step && this.step - 1 <= last));
    }

    frame(index) {
      return { x: 0, y: this.top[index], width: Math.max(this.width, this.box.clientWidth), height: 14 + LINE * Math.max(1, this.lines[index].length) };
    }

    band(picture, index) {
      const here = this.isHere(index), found = this.found.has(index);
      if ((here || found) && this.isShown(this.run.rows[index])) picture.append(draw("rect", { class: "band" + (here ? " here" : "") + (found ? " found" : ""), ...this.frame(index) }));
    }

    row(picture, index) {
      const row = this.run.rows[index];
      if (!this.isShown(row)) return;
      const { step, last } = row;
      const group = draw("g", { class: "row" + (this.isHere(index) ? " here" : "") + (this.step > 0 && step >= this.step ? " later" : ""), "data-row": index });
      group.append(draw("rect", { class: "hit", ...this.frame(index) }));
      const y = this.middle(index);
      if (row.line) group.append(draw("text", { class: "faint", x: MARGIN - 16, y: y + 4, "text-anchor": "end" }, String(row.line)));
      if (step < this.run.steps.length) group.addEventListener("click", () => this.choose(last + 1));
      const tone = TONES[row.tone];
      if (row.kind === "note") {
        group.append(draw("text", { class: "faint", x: MARGIN + 36, y: y + 4 }, row.words));
      } else if (row.kind === "mark") {
        const x = this.x[row.lane];
        this.sign(group, x, y, row.mark, tone);
        this.lines[index].forEach((line, place) => group.append(draw("text", { class: "t-" + tone, x: x + 12, y: y + 4 + place * LINE }, line)));
        group.append(draw("title", {}, row.words));
      } else {
        const message = this.run.messages[row.message];
        group.append(draw("title", {}, message.label));
        const far = message.gotRow - message.sentRow > NEAR;
        if (row.kind === "passed" || row.kind === "received" && (message.sentRow < 0 || far)) {
          this.arrow(group, message, y, y);
          this.label(group, message, y, tone);
        } else if (row.kind === "lost") this.stub(group, message, y, "bad");
        else if (row.kind === "sent" && (message.gotRow < 0 || far)) this.stub(group, message, y, far && message.gotRow >= 0 ? tone : "odd");
        else if (row.kind === "sent") this.label(group, message, y, tone);
      }
      picture.append(group);
    }

    sign(group, x, y, mark, tone) {
      if (mark === "crash" || mark === "failure") {
        group.append(draw("path", { class: "cross", d: `M${x - 5} ${y - 5}l10 10m-10 0l10 -10` }));
      } else if (mark === "local" || mark === "fault") {
        group.append(draw("circle", { class: "mark " + tone, cx: x, cy: y, r: 4 }));
      } else {
        group.append(draw("g", { class: "ring " + tone }, draw("circle", { cx: x, cy: y, r: 5 })));
      }
    }

    ends(message) {
      const at = (lane) => (lane >= 0 ? this.x[lane] : -1);
      let from = at(message.from), to = at(message.to);
      const right = to < 0 ? true : to >= from;
      return { from, to, right };
    }

    label(group, message, y, tone) {
      const { from, to, right } = this.ends(message);
      const span = Math.abs(to - from);
      const columns = from >= 0 && to >= 0 && span > 0 ? Math.floor((span - 20) / CHARACTER) : this.columns;
      const words = message.label.length <= columns ? message.label : short(message.text, columns);
      const x = from >= 0 ? from + (right ? 10 : -10) : to - 10;
      group.append(draw("text", { class: "t-" + tone, x, y: y - 4, "text-anchor": from >= 0 && right ? "start" : "end" }, words));
    }

    arrow(group, message, y, toY) {
      const { from, to, right } = this.ends(message);
      const tone = message.fault ? " bad" : "";
      if (message.from === message.to) {
        group.append(draw("path", { class: "arrow" + tone, d: `M${from} ${y}C${from + 34} ${y} ${from + 34} ${toY + 8} ${from + 2} ${toY + 8}` }));
        this.head(group, from, toY + 8, -1, 0, tone);
        return;
      }
      // An end that is not shown is at the edge.
      const a = from >= 0 ? from : to - 60, b = to >= 0 ? to : from + 60;
      const length = Math.hypot(b - a, toY - y) || 1;
      group.append(draw("path", { class: "arrow" + tone, d: `M${a} ${y}L${b} ${toY}` }));
      this.head(group, b, toY, (b - a) / length, (toY - y) / length, tone);
    }

    head(group, x, y, dx, dy, tone) {
      const bx = x - 8 * dx, by = y - 8 * dy;
      group.append(draw("path", { class: "arrow head" + tone, d: `M${x} ${y}L${bx - 4 * dy} ${by + 4 * dx}L${bx + 4 * dy} ${by - 4 * dx}Z` }));
    }

    // A message that does not arrive, or not soon.
    stub(group, message, y, tone) {
      const { from, right } = this.ends(message);
      if (from < 0) return;
      const sign = right ? 1 : -1;
      const end = from + sign * (this.lane - 36);
      const lost = message.fate === "lost";
      group.append(draw("path", { class: "arrow " + tone + (lost ? " lost" : ""), d: `M${from} ${y}H${end}` }));
      if (lost) group.append(draw("path", { class: "cross", d: `M${end - 5} ${y - 5}l10 10m-10 0l10 -10` }));
      else group.append(draw("path", { class: "arrow " + tone, d: `M${end - sign * 7} ${y - 4}L${end} ${y}L${end - sign * 7} ${y + 4}` }));
      this.label(group, { ...message, to: right && message.to < 0 ? -1 : message.to }, y, tone);
    }
  }

  // What the file holds in few numbers becomes what the chart reads.
  const KINDS = ["sent", "received", "passed", "lost", "mark", "note"];
  const MARKS = ["local", "timeout", "fault", "crash", "recovery", "failure", "waiting"];
  const unpack = (run) => {
    run.lanes = run.lanes.map(([process, life]) => ({ process, name: data.processes[process].name, life }));
    run.messages = run.messages.map(([from, to, channel, words, fate, fault]) => ({
      from, to, text: text(words), label: text(channel) + ": " + text(words), fate: ["received", "lost", "withdrawn", "waiting"][fate], fault: !!fault, sentRow: -1, gotRow: -1,
    }));
    run.rows = run.rows.map(([step, last, file, line, kind, what, words, mark, tone], index) => {
      const row = { step, last, file, line, kind: KINDS[kind], tone };
      if (kind < 4) {
        row.message = what;
        const message = run.messages[what];
        row.words = message.label;
        if (kind === 0) message.sentRow = index;
        if (kind === 1) message.gotRow = index;
      } else {
        row.words = text(words);
        if (kind === 4) { row.lane = what; row.mark = MARKS[mark]; }
      }
      return row;
    });
    run.rules = run.rules.map(([step, words, tone]) => {
      const row = run.rows.findIndex((row) => row.step >= step);
      return { row: row < 0 ? run.rows.length : row, text: text(words), tone };
    });
    const count = run.steps.length;
    // The row of the state after so many steps: that of the last of them that has one.
    run.rowOf = new Int32Array(count + 1).fill(-1);
    run.rows.forEach((row, index) => { for (let s = row.step; s <= row.last && s < count; s++) run.rowOf[s + 1] = index; });
    for (let s = 1; s <= count; s++) if (run.rowOf[s] < 0) run.rowOf[s] = run.rowOf[s - 1];
    run.lastRow = run.rows.length - 1;
    while (run.lastRow > 0 && run.rows[run.lastRow].step >= count) run.lastRow--;
    run.loopRow = run.loop < 0 ? -1 : run.rows.findIndex((row) => row.last >= run.loop);
    run.steps = run.steps.map(([process, words, file, line, fault, untimely, quiet, location, changes]) => ({ process, words: text(words), file, line, fault: fault < 0 ? null : text(fault), untimely: !!untimely, quiet: !!quiet, location, changes }));
    return run;
  };

  let viewers = 0;
  class Viewer {
    constructor(run, place) {
      this.run = unpack(run);
      this.step = 0;
      this.id = "v" + viewers++;
      this.chart = new Chart(this.run, (step) => this.go(step));
      this.build(place);
      this.go(0);
      place.addEventListener("keydown", (event) => this.key(event));
    }

    build(place) {
      const count = this.run.steps.length;
      const button = (label, name, action) => make("button", { type: "button", title: name, "aria-label": name, onclick: action }, label);
      this.slider = make("input", { type: "range", min: 0, max: count, value: 0, "aria-label": "step", oninput: () => this.go(Number(this.slider.value)) });
      this.at = make("output", { class: "at" });
      this.every = make("input", { type: "checkbox" });
      this.first = button("|◀", "to the start", () => this.go(0));
      this.back = button("◀", "one step back", () => this.move(-1));
      this.next = button("▶", "one step on", () => this.move(1));
      this.end = button("▶|", "to the end", () => this.go(count));
      const faults = this.run.steps.some((step) => step.fault !== null || step.untimely);
      this.search = make("input", { type: "search", placeholder: "find in the run", "aria-label": "find in the run", oninput: () => this.find(0) });
      this.search.addEventListener("keydown", (event) => {
        if (event.key === "Enter") { this.find(event.shiftKey ? -1 : 1); event.preventDefault(); }
        event.stopPropagation();
      });
      this.matches = make("span", { class: "note", role: "status" });
      this.said = make("p", { class: "said", role: "status", "aria-live": "polite", "aria-atomic": "true" });
      this.sourceTitle = make("span", {});
      this.source = make("ol", { class: "source", tabindex: "0", "aria-label": "source" });
      this.values = make("div", { class: "values", tabindex: "0", role: "region", "aria-label": "variables" });
      this.machine = make("div", { class: "machine", tabindex: "0", role: "region", "aria-label": "state machine" });
      this.pick = make("select", { "aria-label": "process", onchange: () => this.showMachine() },
        make("option", { value: "-1" }, "of the step"),
        ...data.processes.map((process, index) => make("option", { value: index }, process.name)));
      const lanes = make("details", { class: "lanes" },
        make("summary", {}, `lanes (${this.run.lanes.length})`),
        make("div", {}, button("all", "all lanes", () => this.lanes(() => true)), button("none", "no lanes", () => this.lanes(() => false)),
          ...this.run.lanes.map((lane, index) => {
            const box = make("input", { type: "checkbox", onchange: () => { this.chart.shown[index] = box.checked; this.redraw(); } });
            box.checked = true;
            lane.box = box;
            return make("label", {}, box, lane.name);
          })));
      const leftOut = this.run.leftOut.length
        ? [make("p", { class: "note" }, "Not drawn, for they do nothing that matters in this run: " + this.run.leftOut.slice(0, 40).join(", ") + (this.run.leftOut.length > 40 ? ", .." : "") + ".")]
        : [];
      const opening = this.run.opening.map((index) => make("p", { class: "note" }, text(index)));
      place.append(
        make("div", { class: "bar", role: "group", "aria-label": "steps" }, this.first, this.back, this.next, this.end,
          ...(faults ? [button("fault", "to the next fault", () => this.fault(1))] : []),
          this.slider, this.at, make("label", {}, this.every, "every step")),
        this.said, ...opening,
        make("div", { class: "panes" },
          make("div", { class: "pane" }, make("h3", {}, "chart", this.search, this.matches), this.chart.box),
          make("div", { class: "side" },
            make("section", { class: "pane" }, make("h3", {}, "source ", this.sourceTitle), this.source),
            make("section", { class: "pane" }, make("h3", {}, "variables"), this.values),
            make("section", { class: "pane" }, make("h3", {}, "state machine", this.pick), this.machine))),
        lanes, ...leftOut);
    }

    lanes(choice) {
      this.run.lanes.forEach((lane, index) => { this.chart.shown[index] = lane.box.checked = choice(index); });
      this.redraw();
    }

    redraw() { this.chart.measure(); this.chart.go(this.step); }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const tag = event.target.tagName;
      if (tag === "SELECT" || tag === "SUMMARY") return;
      if (event.target === this.slider && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
      const keys = {
        ArrowRight: () => this.move(1), ArrowLeft: () => this.move(-1), j: () => this.move(1), k: () => this.move(-1),
        Home: () => this.go(0), End: () => this.go(this.run.steps.length), f: () => this.fault(1), F: () => this.fault(-1), "/": () => this.search.focus(),
      };
      if (keys[event.key]) { keys[event.key](); event.preventDefault(); }
    }

    // One step, over those that change nothing; after the last one a loop begins again.
    move(by) {
      const { steps, loop } = this.run;
      let step = this.step;
      if (by > 0 && step === steps.length) {
        if (loop < 0) return;
        this.again = true;
        step = loop;
      }
      do step += by; while (step > 0 && step < steps.length && !this.every.checked && steps[step - 1].quiet);
      this.go(Math.max(0, Math.min(steps.length, step)));
    }

    fault(by) {
      const { steps } = this.run;
      const odd = (step) => steps[step - 1].fault !== null || steps[step - 1].untimely;
      for (let turn = 1; turn <= steps.length; turn++) {
        const step = ((this.step + by * turn - 1) % steps.length + steps.length) % steps.length + 1;
        if (odd(step)) { this.go(step); return; }
      }
    }

    find(by) {
      const words = this.search.value.trim().toLowerCase();
      const found = [];
      if (words) this.run.steps.forEach((step, index) => { if (step.words.toLowerCase().includes(words)) found.push(index + 1); });
      this.chart.found = new Set(found.map((step) => this.run.rowOf[step]));
      this.matches.textContent = words ? (found.length === 1 ? "1 step" : found.length + " steps") : "";
      if (by !== 0 && found.length) {
        const next = by > 0 ? found.find((step) => step > this.step) ?? found[0] : found.findLast((step) => step < this.step) ?? found[found.length - 1];
        this.go(next);
      } else this.chart.go(this.step);
    }

    go(step) {
      this.step = step;
      const { steps, loop } = this.run;
      const now = step > 0 ? steps[step - 1] : null;
      this.slider.value = step;
      const count = `step ${step} of ${steps.length}`;
      this.at.textContent = count;
      this.slider.setAttribute("aria-valuetext", now ? count + ": " + now.words : "the start");
      this.first.disabled = this.back.disabled = step === 0;
      this.end.disabled = step === steps.length;
      this.next.disabled = step === steps.length && loop < 0;
      const parts = [];
      if (!now) parts.push("The start of the run.");
      else {
        let words = now.words;
        if (words.startsWith("FAULT ")) {
          parts.push(make("span", { class: "fault" }, "FAULT "));
          words = words.slice(6);
        }
        parts.push(words);
        if (now.line) parts.push(make("span", { class: "place" }, `  (${data.files[now.file].path}:${now.line})`));
        if (loop >= 0 && step === steps.length) parts.push(make("span", { class: "place" }, `  After this it goes on with step ${loop + 1}, for ever.`));
      }
      this.said.replaceChildren(...parts);
      this.said.className = "said" + (now && now.fault !== null ? " bad" : now && now.untimely ? " odd" : "");
      this.chart.go(step);
      this.showSource(now);
      this.showValues();
      this.showMachine();
    }

    showSource(now) {
      const file = now && now.line ? now.file : this.file ?? 0;
      if (this.file !== file) {
        this.file = file;
        this.sourceTitle.textContent = data.files[file].path;
        this.source.replaceChildren(...data.files[file].lines.map((line) => make("li", {}, line)));
      }
      for (const line of this.source.querySelectorAll(".here")) { line.className = ""; line.removeAttribute("aria-current"); }
      if (now && now.line) {
        const line = this.source.children[now.line - 1];
        line.className = "here" + (now.fault !== null ? " bad" : "");
        line.setAttribute("aria-current", "step");
        const top = line.offsetTop - this.source.offsetTop;
        if (top < this.source.scrollTop + 30 || top > this.source.scrollTop + this.source.clientHeight - 50) {
          this.source.scrollTop = Math.max(0, top - this.source.clientHeight / 2);
        }
      }
    }

    // The values after so many steps, kept for the step that is shown.
    state(step) {
      if (!this.known || step < this.known.step) {
        this.known = { step: 0, values: Int32Array.from(this.run.initial), places: Int32Array.from(data.processes.map((p) => p.initial)), from: data.processes.map(() => -1) };
      }
      const { values, places, from } = this.known;
      for (let s = this.known.step; s < step; s++) {
        const taken = this.run.steps[s];
        for (let c = 0; c < taken.changes.length; c += 2) values[taken.changes[c]] = taken.changes[c + 1];
        if (taken.process >= 0) { from[taken.process] = places[taken.process]; places[taken.process] = taken.location; }
      }
      this.known.step = step;
      return this.known;
    }

    showValues() {
      const now = this.step > 0 ? this.run.steps[this.step - 1] : null;
      const was = new Map();
      if (now) {
        const before = this.state(this.step - 1).values;
        for (let c = 0; c < now.changes.length; c += 2) was.set(now.changes[c], before[now.changes[c]]);
      }
      const { values } = this.state(this.step);
      const table = (caption, variables) => {
        const body = variables.map((variable) => {
          const old = was.has(variable) ? [make("span", { class: "was" }, text(was.get(variable)))] : [];
          return make("tr", was.has(variable) ? { class: "new" } : {}, make("td", {}, data.vars[variable]), make("td", {}, ...old, text(values[variable])));
        });
        return make("table", {}, make("caption", {}, caption), make("tbody", {}, ...body));
      };
      // Those of the step first; of many processes only those with a lane.
      const taking = new Set(this.run.lanes.map((lane) => lane.process));
      const few = data.processes.length <= 8;
      let groups = data.groups.filter((group) => group.vars.length && (few || group.process < 0 || taking.has(group.process)));
      if (now) groups = [...groups.filter((g) => g.process === now.process && g.process >= 0), ...groups.filter((g) => g.process !== now.process || g.process < 0)];
      if (groups.length > 14) groups = groups.filter((g, index) => index < 10 || g.vars.some((v) => was.has(v)));
      this.values.replaceChildren(...groups.map((group) => table(group.name, group.vars)));
      if (!groups.length) this.values.append(make("p", { class: "note" }, "No process of this run has variables."));
    }

    showMachine() {
      const now = this.step > 0 ? this.run.steps[this.step - 1] : null;
      let process = Number(this.pick.value);
      if (process < 0) process = now && now.process >= 0 ? now.process : this.process ?? (this.run.lanes[0] ? this.run.lanes[0].process : 0);
      if (this.process !== process || !this.machine.firstChild) {
        this.process = process;
        const machine = data.processes[process] ? data.processes[process].machine : -1;
        const template = machine >= 0 ? document.getElementById("machine-" + machine) : null;
        this.machine.replaceChildren(template ? template.content.cloneNode(true) : make("p", { class: "note" }, "It has too many places to be drawn here; sandalc graph draws it."));
        const picture = this.machine.querySelector("svg");
        if (picture) picture.setAttribute("aria-label", "state machine of " + data.processes[process].name);
      }
      const { places, from } = this.state(this.step);
      for (const node of this.machine.querySelectorAll(".lit, .left")) node.classList.remove("lit", "left");
      const node = (place) => this.machine.querySelector(`[data-key="${place}"]`);
      const lit = node(places[process]);
      if (now && now.process === process && from[process] !== places[process]) node(from[process])?.classList.add("left");
      if (lit) {
        lit.classList.add("lit");
        const box = lit.getBoundingClientRect(), view = this.machine.getBoundingClientRect();
        if (box.top < view.top || box.bottom > view.bottom) this.machine.scrollTop += box.top - view.top - view.height / 2;
        if (box.left < view.left || box.right > view.right) this.machine.scrollLeft += box.left - view.left - view.width / 3;
      }
    }
  }

  // One run at a time, or two that somebody cannot tell apart, made when they are first looked at.
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const open = [];
  const show = (index) => {
    tabs.forEach((tab, other) => {
      tab.setAttribute("aria-selected", other === index);
      tab.tabIndex = other === index ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = other !== index;
    });
    if (!open[index]) {
      const places = document.querySelectorAll(`#run-${index} .viewer`);
      open[index] = [...places].map((place) => new Viewer(data.runs[Number(place.dataset.run)], place));
    } else open[index].forEach((viewer) => viewer.redraw());
  };
  tabs.forEach((tab, index) => {
    // After a click the keys are for the run.
    tab.addEventListener("click", () => { show(index); open[index][0].chart.box.focus({ preventScroll: true }); });
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by) { const next = (index + by + tabs.length) % tabs.length; show(next); tabs[next].focus(); event.preventDefault(); event.stopPropagation(); }
    });
  });
  for (const link of document.querySelectorAll("a[data-run]")) {
    link.addEventListener("click", () => tabs[Number(link.dataset.run)].click());
  }
  // The keys work wherever the reader is.
  document.addEventListener("keydown", (event) => {
    const index = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const inside = event.target instanceof Element && event.target.closest(".viewer, input, select, textarea, summary, [role=tab]");
    if (index >= 0 && open[index] && !inside) open[index][0].key(event);
  });
  if (tabs.length) {
    const wanted = /^#run-(\d+)$/.exec(location.hash);
    show(wanted && Number(wanted[1]) < tabs.length ? Number(wanted[1]) : 0);
  }
})();
