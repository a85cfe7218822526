// The timeline: rows of counts, spans and levels over a time range that is selected by dragging, keys or buttons.

const lanes = document.getElementById('lanes');
if (lanes) startTimeline(lanes, DATA);

function startTimeline(container, data) {
  const FEW = 8, FOUND = 40, ROW = 26, LANE = 9, MAX_LANES = 12, TAIL = 20;
  const end = Math.max(data.ns, 1);
  const view = { from: 0, to: end };
  let query = '', width = 600, isFull = {};

  // The rows of events in their table. If the table has no room for all, the timeline leaves out the same ones.
  const names = [...document.querySelectorAll('#event-table tbody tr:not(.other)')].sort((a, b) => a.number - b.number);
  // The rows by group. A row has a name, and functions that draw and describe the visible range.
  const lost = decodeSeries(data.lost, data.buckets);
  const groups = [
    { title: '', rows: [{ ...counts('All events', 1, data.all), class: 'main' }] },
    { title: data.thread_title, rows: data.threads.map(([name, , each, series]) => counts(name, each, series)) },
    { title: data.tracks.some(track => track.drawn < track.count) ? 'Longest spans' : 'Spans', rows: data.tracks.map(spans) },
    { title: 'Counters', rows: data.counters.map(levels) },
    { title: 'Events', rows: data.events.slice(0, names.length).map(([each, series], at) => counts(names[at].cells[0].title || names[at].cells[0].textContent, each, series)) },
  ];
  if (lost.some(count => count)) groups[0].rows.push({ ...counts('Lost events', 1, data.lost), class: 'main lost' });

  function counts(name, each, series) {
    let values = null;
    const get = () => values ??= decodeSeries(series, Math.ceil(data.buckets / each));
    const bucket = data.width * each;
    const index = ns => (ns - data.first) / bucket;
    // Returns the buckets of a range: the first one, and the one after the last.
    const within = (from, to) => {
      const count = get().length;
      return [Math.max(0, Math.floor(index(from))), to < end ? Math.min(count, Math.floor(index(to)) + 1) : count];
    };
    const sum = (from, to) => {
      const values = get(), [first, last] = within(from, to);
      let sum = 0;
      for (let at = first; at < last; at += 1) sum += values[at];
      return sum;
    };
    // Returns the columns of the visible range, each at least one pixel wide: the left edge, and the
    // largest bucket and its count.
    const columns = x => {
      const values = get(), [first, last] = within(view.from, view.to);
      const step = Math.max(1, Math.ceil((last - first) / width));
      const columns = [];
      for (let from = first; from < last; from += step) {
        let at = from;
        for (let other = from; other < Math.min(from + step, last); other += 1) if (values[other] > values[at]) at = other;
        columns.push({ left: x(data.first + from * bucket), at, count: values[at] });
      }
      // If less than a pixel of the first or the last column is visible, join it to its neighbour.
      const join = (column, edge) => {
        if (edge.count > column.count) Object.assign(column, { at: edge.at, count: edge.count });
      };
      if (columns.length > 1 && columns[1].left < 1) {
        columns[1].left = columns[0].left;
        join(columns[1], columns.shift());
      }
      if (columns.length > 1 && columns.at(-1).left > width - 1) join(columns.at(-2), columns.pop());
      return columns;
    };
    return {
      name,
      height: () => ROW,
      summary: () => number(sum(view.from, view.to)),
      at: ns => {
        const x = scale(), { at } = columns(x).findLast(column => column.left <= x(ns)) ?? { at: 0 };
        const from = data.first + at * bucket;
        return `${number(get()[at] ?? 0)} in ${duration(bucket)} from ${moment(Math.max(from, 0), bucket)}`;
      },
      draw: svg => {
        const x = scale(), drawn = columns(x);
        const most = drawn.reduce((most, column) => Math.max(most, column.count), 0);
        if (!most) return;
        let path = `M${drawn[0].left.toFixed(1)} ${ROW}`, before = 0;
        for (const { left, count } of drawn) {
          if (count === before) continue;
          path += `H${left.toFixed(1)}V${(ROW - (count ? Math.max(1.5, Math.sqrt(count / most) * (ROW - 4)) : 0)).toFixed(1)}`;
          before = count;
        }
        svg.append(draw('path', { d: `${path}H${width}V${ROW}` }));
      },
    };
  }

  function spans(track) {
    let all = null, lanes = 1, hasOpen = false;
    // Overlapping spans are in separate lanes. Spans that never ended share a lane of their own.
    const get = () => {
      if (all) return all;
      const numbers = decode(track.spans), ends = [];
      all = [];
      for (let at = 0, begin = 0; at < numbers.length; at += 2) {
        begin += numbers[at];
        const isOpen = numbers[at + 1] % 2 === 1, end = begin + Math.floor(numbers[at + 1] / 2);
        let lane = -1;
        if (!isOpen) {
          lane = ends.findIndex(end => end <= begin);
          if (lane < 0) lane = Math.min(ends.length, MAX_LANES - 1);
          ends[lane] = Math.max(ends[lane] ?? 0, end);
        }
        hasOpen ||= isOpen;
        all.push({ begin, end, lane, isOpen });
      }
      lanes = Math.max(ends.length, hasOpen ? 0 : 1);
      for (const span of all) if (span.isOpen) span.lane = lanes;
      return all;
    };
    return {
      name: track.name,
      height: () => {
        get();
        return Math.max(ROW, (lanes + hasOpen) * LANE + 6);
      },
      summary: () => {
        const visible = number(get().filter(span => span.end >= view.from && span.begin <= view.to).length);
        if (track.drawn >= track.count) return visible;
        // The number of spans in a part of the trace is unknown.
        return isWhole() ? `${visible} of ${number(track.count)} spans` : `${visible} shown`;
      },
      note: track.drawn < track.count ? `The timeline shows the ${number(track.drawn)} longest of ${number(track.count)} spans.` : '',
      at: (ns, y, near) => {
        const lane = Math.floor((y - 3) / LANE);
        let best = null;
        for (const span of get()) {
          const away = Math.max(span.begin - ns, ns - span.end, 0);
          if (away <= near && span.lane === lane && (!best || away < best.away)) best = { ...span, away };
        }
        if (!best) return '';
        const long = best.isOpen ? 'never ended' : duration(best.end - best.begin);
        return `${data.pairs[track.pair]}: ${long}, from ${moment(best.begin, (view.to - view.from) / 1000)}`;
      },
      draw: svg => {
        const x = scale(), paths = ['', ''];
        for (const span of get()) {
          if (span.end < view.from || span.begin > view.to) continue;
          const left = Math.min(Math.max(-2, x(span.begin)), width - 1.5), right = Math.min(width + 2, x(span.end));
          const path = `M${left.toFixed(1)} ${3 + span.lane * LANE}h${Math.max(1.5, right - left).toFixed(1)}v${LANE - 2}H${left.toFixed(1)}z`;
          paths[Number(span.isOpen)] += path;
        }
        const colour = `s${track.pair % 8}`;
        if (paths[0]) svg.append(draw('path', { d: paths[0], class: colour }));
        if (paths[1]) svg.append(draw('path', { d: paths[1], class: `${colour} never` }));
      },
    };
  }

  function levels(counter) {
    const smallest = Number(counter.smallest), numbers = decode(counter.levels), values = [];
    for (let at = -1, index = 0; index < numbers.length; index += 3) {
      at += numbers[index] + 1;
      values.push({ at: data.first + at * data.width, largest: numbers[index + 1] + smallest, last: numbers[index + 2] + smallest });
    }
    const top = Math.max(Number(counter.largest), 0), bottom = Math.min(smallest, 0);
    return {
      name: counter.name,
      height: () => ROW,
      summary: () => `${number(smallest)} – ${number(Number(counter.largest))}`,
      at: ns => {
        const level = values.findLast(value => value.at <= ns);
        return level ? number(level.last) : '';
      },
      draw: svg => {
        const x = scale(), y = value => (ROW - 2 - (value - bottom) / Math.max(top - bottom, 1) * (ROW - 6)).toFixed(1);
        let path = '';
        for (const { at, largest, last } of values) {
          const left = Math.min(Math.max(x(at), -10), width + 10).toFixed(1);
          path += path ? `H${left}V${y(largest)}V${y(last)}` : `M${left} ${y(last)}`;
        }
        svg.append(draw('path', { d: `${path}H${width}`, class: 'level' }));
      },
    };
  }

  const isWhole = () => view.from <= 0 && view.to >= end;
  const scale = () => ns => (ns - view.from) / (view.to - view.from) * width;

  // Draws pauses and losses, which form the background of all rows.
  const ground = (svg, height) => {
    const x = scale();
    for (const [from, to] of data.pauses) {
      const left = Math.max(0, x(from ?? 0)), right = Math.min(width, x(to ?? end));
      if (right > left) svg.append(draw('rect', { class: 'pause', x: left.toFixed(1), y: 0, width: Math.max(1, right - left).toFixed(1), height }));
    }
    let path = '', before = -2;
    for (let at = 0; at < lost.length; at += 1) {
      if (!lost[at]) continue;
      // The middle of the first or of the last bucket can be outside the trace.
      const middle = Math.min(Math.max(data.first + (at + 0.5) * data.width, 0), end);
      if (middle < view.from || middle > view.to) continue;
      const left = Math.min(Math.round(x(middle)), width - 1);
      if (left < before + 2) continue;
      path += `M${left + 0.5} 0V${height}`;
      before = left;
    }
    if (path) svg.append(draw('path', { class: 'loss', d: path }));
  };

  // The controls and containers.
  const search = make('input', { type: 'search', id: 'timeline-search', placeholder: 'Find threads, spans, events', 'aria-label': 'Find rows of the timeline' });
  const range = make('output', { id: 'timeline-range', 'aria-live': 'polite' });
  const readout = make('div', { class: 'readout', id: 'timeline-readout', hidden: true });
  const hint = make('p', { class: 'hint screen' }, 'Drag over a range to zoom in, or use the arrow keys, + and −. Heights are proportional to the square root of counts.');
  const rowsContainer = make('div');
  const axis = make('div', { class: 'axis' }), map = draw('svg', { height: ROW });
  const headPlot = make('div', { class: 'plot' }, map);
  // A name in two parts. If it is too wide, the end of the first part is cut. Neither part begins or
  // ends with a space at the split, because a browser would not show it.
  const nameOf = name => {
    const letters = [...name];
    let at = letters.length - Math.min(TAIL, Math.floor(letters.length / 2));
    while (at > 0 && /\s/.test(letters[at - 1] + (letters[at] ?? ''))) at -= 1;
    return make('span', {}, make('i', {}, letters.slice(0, at).join('')), make('i', {}, letters.slice(at).join('')));
  };
  const lane = (name, plot) => make('div', { class: 'lane' }, make('div', { class: 'name' }, nameOf(name)), plot);
  const head = make('div', { class: 'head' }, lane('Whole trace', headPlot), lane('Time', make('div', { class: 'plot' }, axis)));
  const cursor = make('div', { class: 'cursor', hidden: true }), choice = make('div', { class: 'choice', hidden: true });
  const button = (text, title, act) => {
    const made = make('button', { type: 'button', title }, text);
    made.addEventListener('click', act);
    return made;
  };
  const whole = button('Whole', 'Show the whole trace (0)', () => go(0, end));
  const tools = make('div', { class: 'tools' }, search,
    button('−', 'Zoom out (−)', () => zoom(2)), button('+', 'Zoom in (+)', () => zoom(0.5)),
    button('←', 'Earlier (left arrow)', () => pan(-0.3)), button('→', 'Later (right arrow)', () => pan(0.3)), whole, range);
  container.before(tools);
  container.replaceChildren(head, rowsContainer, cursor, choice, readout);
  container.after(hint);
  container.classList.add('zoomable');
  container.tabIndex = 0;
  container.setAttribute('role', 'group');
  container.setAttribute('aria-label', 'Timeline: arrow keys move, plus and minus zoom, 0 shows all');

  const smallest = Math.max(1, data.width / 64);

  function go(from, to) {
    const long = Math.min(Math.max(to - from, Math.min(smallest, end)), end);
    const middle = (from + to) / 2;
    view.from = Math.min(Math.max(middle - long / 2, 0), end - long);
    view.to = view.from + long;
    paint();
  }

  const zoom = (factor, around = (view.from + view.to) / 2) =>
    go(around - (around - view.from) * factor, around + (view.to - around) * factor);
  const pan = part => {
    const by = Math.min(Math.max(part * (view.to - view.from), -view.from), end - view.to);
    go(view.from + by, view.to + by);
  };

  // The rows that match the search.
  let shown = [];

  function choose() {
    shown = [];
    rowsContainer.replaceChildren();
    let found = 0;
    for (const group of groups) {
      let rows = group.rows;
      if (query) rows = rows.filter(row => row.name.toLowerCase().includes(query));
      found += rows.length;
      const most = isFull[group.title] ? 400 : query ? FOUND : FEW;
      if (!rows.length) continue;
      if (group.title) rowsContainer.append(make('p', { class: 'group' }, group.title));
      for (const row of rows.slice(0, most)) {
        const count = make('b', row.note ? { title: row.note } : {}), plot = make('div', { class: 'plot' });
        const lane = make('div', { class: `lane ${row.class ?? ''}` }, make('div', { class: 'name', title: row.name }, nameOf(row.name), count), plot);
        rowsContainer.append(lane);
        shown.push({ row, plot, count });
      }
      if (rows.length > most && !isFull[group.title]) {
        const more = make('button', { type: 'button', class: 'more' }, `${number(Math.min(rows.length, 400) - most)} more`);
        more.addEventListener('click', () => {
          isFull[group.title] = true;
          choose();
        });
        rowsContainer.append(more);
      }
    }
    if (!found) rowsContainer.append(make('p', { class: 'empty' }, 'No matching rows.'));
    paint();
  }

  function paint() {
    const plot = headPlot.getBoundingClientRect();
    width = Math.max(100, Math.floor(plot.width));
    for (const { row, plot, count } of shown) {
      const height = row.height();
      const svg = draw('svg', { class: 'area', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
      ground(svg, height);
      row.draw(svg);
      plot.replaceChildren(svg);
      count.textContent = row.summary();
    }
    paintHead();
    whole.disabled = isWhole();
    const apart = (view.to - view.from) / 100;
    range.textContent = isWhole() ? `The whole trace, ${duration(end)}` : `${moment(view.from, apart)} to ${moment(view.to, apart)} (${duration(view.to - view.from)})`;
  }

  function paintHead() {
    const kept = { ...view };
    map.replaceChildren();
    map.setAttribute('viewBox', `0 0 ${width} ${ROW}`);
    map.setAttribute('class', 'area');
    Object.assign(view, { from: 0, to: end });
    ground(map, ROW);
    groups[0].rows[0].draw(map);
    const x = scale();
    const left = x(kept.from), right = x(kept.to);
    Object.assign(view, kept);
    if (right - left < width) {
      map.append(draw('rect', { class: 'window', x: left.toFixed(1), y: 0.5, width: Math.max(2, right - left).toFixed(1), height: ROW - 1 }));
    }
    // Round moments, at least 100 pixels apart.
    const apart = (view.to - view.from) / Math.max(2, Math.floor(width / 100));
    const base = 10 ** Math.floor(Math.log10(Math.max(apart, 1)));
    const step = [1, 2, 5, 10].map(factor => factor * base).find(step => step >= apart) ?? base * 10;
    axis.replaceChildren();
    for (let at = Math.ceil(view.from / step); at * step <= view.to; at += 1) {
      const part = (at * step - view.from) / (view.to - view.from) * 100;
      const side = part < 4 ? 'l' : part > 96 ? 'r' : '';
      axis.append(make('span', { class: side, style: `left:${part.toFixed(2)}%` }, moment(at * step, step)));
    }
  }

  // Selection with a mouse, pen or finger.
  const nsAt = event => {
    const { left, width } = headPlot.getBoundingClientRect();
    const part = Math.min(Math.max((event.clientX - left) / width, 0), 1);
    return map.contains(event.target) ? part * end : view.from + part * (view.to - view.from);
  };
  const plotOf = event => event.target instanceof Element ? event.target.closest('.plot') : null;
  let drag = null;

  container.addEventListener('pointerdown', event => {
    if (event.button || !plotOf(event)) return;
    drag = { x: event.clientX, ns: nsAt(event), isMap: map.contains(event.target) };
    container.setPointerCapture(event.pointerId);
  });
  container.addEventListener('pointermove', event => {
    const outer = container.getBoundingClientRect();
    if (drag) {
      const left = Math.min(drag.x, event.clientX) - outer.left;
      choice.hidden = Math.abs(event.clientX - drag.x) < 4;
      choice.style.left = `${left}px`;
      choice.style.width = `${Math.abs(event.clientX - drag.x)}px`;
      return;
    }
    const plot = plotOf(event);
    cursor.hidden = readout.hidden = !plot;
    cursor.style.left = `${event.clientX - outer.left}px`;
    const there = shown.find(({ plot: other }) => other === plot);
    if (!there) {
      readout.hidden = true;
      return;
    }
    const ns = nsAt(event), y = event.clientY - plot.getBoundingClientRect().top;
    const near = 3 / width * (view.to - view.from);
    const what = there.row.at(ns, y, near);
    // Place the text beside the pointer, on the side with more room.
    const right = event.clientX - outer.left > outer.width / 2;
    readout.style.left = right ? 'auto' : `${event.clientX - outer.left + 12}px`;
    readout.style.right = right ? `${outer.right - event.clientX + 12}px` : 'auto';
    readout.style.top = `${event.clientY - outer.top + 14}px`;
    readout.textContent = `${moment(ns, (view.to - view.from) / 1000)}  ·  ${there.row.name}${what ? `: ${what}` : ''}`;
  });
  container.addEventListener('pointerleave', () => cursor.hidden = readout.hidden = true);
  container.addEventListener('pointerup', event => {
    if (!drag) return;
    const { x, ns, isMap } = drag;
    drag = null;
    choice.hidden = true;
    const { left, width } = headPlot.getBoundingClientRect();
    const part = Math.min(Math.max((event.clientX - left) / width, 0), 1);
    const to = isMap ? part * end : view.from + part * (view.to - view.from);
    if (Math.abs(event.clientX - x) >= 4) go(Math.min(ns, to), Math.max(ns, to));
    else if (isMap) go(ns - (view.to - view.from) / 2, ns + (view.to - view.from) / 2);
  });
  container.addEventListener('pointercancel', () => {
    drag = null;
    choice.hidden = true;
  });
  container.addEventListener('dblclick', event => plotOf(event) && zoom(0.5, nsAt(event)));
  container.addEventListener('wheel', event => {
    // Without a modifier key the wheel scrolls the page.
    if (!(event.ctrlKey || event.shiftKey || event.metaKey) || !plotOf(event)) return;
    event.preventDefault();
    zoom(Math.exp((event.deltaY || event.deltaX) / 400), nsAt(event));
  }, { passive: false });
  container.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
      0: () => go(0, end), Home: () => go(0, end), Escape: () => go(0, end),
    }[event.key];
    if (!act || event.target !== container) return;
    event.preventDefault();
    act();
  });
  search.addEventListener('input', () => {
    query = search.value.trim().toLowerCase();
    isFull = {};
    choose();
  });
  new ResizeObserver(() => {
    if (Math.abs(headPlot.getBoundingClientRect().width - width) >= 1) paint();
  }).observe(container);
  addEventListener('beforeprint', paint);
  choose();
}
