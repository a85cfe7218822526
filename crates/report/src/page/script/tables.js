// Tables that can be sorted and searched, and that show either the first rows or all rows.

const SHOWN_ROWS = 50, SEARCHED_ROWS = 12, SPARK = { columns: 60, width: 120, height: 18 };

const sparkline = ([each, series]) => {
  const counts = decodeSeries(series, Math.ceil(DATA.buckets / each));
  const joined = Math.ceil(counts.length / SPARK.columns);
  const sums = [];
  for (let at = 0; at < counts.length; at += joined) {
    sums.push(counts.subarray(at, at + joined).reduce((sum, count) => sum + count, 0));
  }
  const most = Math.max(...sums, 1), { width, height } = SPARK;
  let path = `M0 ${height}`;
  sums.forEach((sum, column) => {
    path += `H${Math.floor(column * width / sums.length)}V${height - Math.ceil(sum * height / most)}`;
  });
  const svg = draw('svg', { class: 'spark', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
  svg.append(draw('path', { d: `${path}H${width}V${height}` }));
  return svg;
};

for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows];
  rows.forEach((row, index) => row.number = index);
  let query = '', all = rows.length <= SHOWN_ROWS * 1.2;

  const more = make('button', { type: 'button', class: 'more' });
  more.addEventListener('click', () => {
    all = !all;
    show();
  });

  const show = () => {
    let shown = 0, found = 0;
    for (const row of body.rows) {
      const matches = !query || row.cells[0].textContent.toLowerCase().includes(query);
      found += matches;
      row.hidden = !matches || (!all && shown >= SHOWN_ROWS);
      if (row.hidden) continue;
      shown += 1;
      // Rows further down get their sparkline when they are first shown.
      const last = row.cells[row.cells.length - 1];
      if (table.id === 'event-table' && !last.firstElementChild && DATA.events[row.number]) {
        last.append(sparkline(DATA.events[row.number]));
      }
    }
    more.hidden = found <= SHOWN_ROWS * 1.2;
    more.textContent = all ? `Show the first ${SHOWN_ROWS} of ${number(found)}` : `Show all ${number(found)}`;
    if (matchCount) matchCount.textContent = query ? `${number(found)} of ${number(rows.length)}` : '';
  };

  heads.forEach((head, column) => {
    if (head.classList.contains('spark')) return;
    const isNumber = head.classList.contains('n');
    const button = make('button', { type: 'button' }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const now = head.getAttribute('aria-sort');
      const order = now ? (now === 'ascending' ? 'descending' : 'ascending') : isNumber ? 'descending' : 'ascending';
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', order);
      const sign = order === 'ascending' ? 1 : -1;
      const key = row => {
        const cell = row.cells[column];
        return isNumber ? Number(cell.dataset.v ?? shownNumber(cell.textContent)) : cell.textContent;
      };
      const compare = isNumber ? (a, b) => a - b || 0 : (a, b) => a < b ? -1 : a > b ? 1 : 0;
      const keyed = [...body.rows].map(row => [key(row), row]);
      keyed.sort(([a, of], [b, other]) => sign * compare(a, b) || of.number - other.number);
      body.append(...keyed.map(([, row]) => row));
      show();
    });
  });

  let matchCount = null;
  if (rows.length > SEARCHED_ROWS) {
    const what = heads[0].textContent.toLowerCase();
    const search = make('input', { type: 'search', placeholder: `Find ${what}s`, 'aria-label': `Find ${what}s in the table` });
    matchCount = make('output');
    search.addEventListener('input', () => {
      query = search.value.trim().toLowerCase();
      show();
    });
    table.parentElement.before(make('div', { class: 'tools' }, search, matchCount));
  }
  table.parentElement.after(more);
  show();
}

// Open all details for printing.
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details:not([open])')) {
    details.open = true;
    details.wasClosed = true;
  }
});
addEventListener('afterprint', () => {
  for (const details of document.querySelectorAll('details')) {
    if (details.wasClosed) details.open = details.wasClosed = false;
  }
});
