// Uses reports in a browser as a reader would. The arguments are the paths of eight reports: a
// boot, a trace with hostile text, a trace with thousands of events, an empty trace, a trace with
// long names, a trace with events and losses at the ends of a long gap, a trace with more spans than
// the timeline shows, and a trace with more events than the table shows.
const [boot, hostile, many, empty, wide, gap, spans, manyNames] = args;
const requests = [];
context.on('request', request => requests.push(request.url()));
page.on('dialog', dialog => problems.push('dialog: ' + dialog.message()));

const open = async path => {
    await page.goto('file://' + path);
    expect(await page.locator('h1').isVisible(), 'a heading in ' + path);
};
const shown = async (selector, inside = page) =>
    (await inside.locator(selector).filter({ visible: true }).allTextContents()).map(text => text.trim());
const equal = (found, expected, what) => expect(JSON.stringify(found) === JSON.stringify(expected),
    `${what}: ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);

// Tables can be sorted and searched.
await open(boot);
const events = page.locator('#event-table'), names = () => shown('tbody th', events);
expect((await names())[0] === 'apic_register_write', 'the most frequent event is first');
await events.getByRole('button', { name: 'Event' }).click();
const byName = await names();
equal(byName, [...byName].sort(), 'events by name');
equal(await events.locator('th[aria-sort]').evaluateAll(heads => heads.map(head => head.ariaSort)), ['ascending'], 'only one column is marked as sorted');
await events.getByRole('button', { name: 'Count' }).click();
expect((await names())[0] === 'apic_register_write', 'the most frequent event is first again');
await events.getByRole('button', { name: 'Count' }).click();
expect((await names()).at(-1) !== (await names())[0] && !(await names()).slice(0, 5).includes('apic_register_write'), 'the most frequent event is last');
await page.getByLabel('Find events in the table').fill('VIRTIO_BLK');
equal((await names()).sort(), ['virtio_blk_handle_read', 'virtio_blk_handle_write', 'virtio_blk_req_complete', 'virtio_blk_rw_complete'], 'matching events');

// Dragging and keys zoom the timeline, which shows the counts of the visible range.
const range = page.locator('#timeline-range'), lanes = page.locator('#lanes');
const countOf = async name => Number((await lanes.locator('.lane', { hasText: name }).locator('b').first().textContent()).replaceAll(',', ''));
expect((await range.textContent()).startsWith('The whole trace'), 'the whole trace is visible at first');
expect(await countOf('All events') === 17361, 'all events');
await lanes.scrollIntoViewIfNeeded();
const plot = await lanes.locator('.lane:has-text("All events") .plot').boundingBox();
await page.mouse.move(plot.x + plot.width * 0.9, plot.y + 10);
await page.mouse.down();
await page.mouse.move(plot.x + plot.width * 0.99, plot.y + 10, { steps: 4 });
await page.mouse.up();
expect((await range.textContent()).includes(' to '), 'a part of the trace is visible');
const part = await countOf('All events');
expect(part > 100 && part < 10000, `a part of the trace has some of the events, found ${part}`);
expect(await page.locator('#lanes .window').count() === 1, 'the visible part is marked in the overview');
await lanes.focus();
const before = await range.textContent();
await page.keyboard.press('+');
expect(await range.textContent() !== before, 'a key zooms in');
await page.keyboard.press('ArrowRight');
await page.keyboard.press('-');
await page.keyboard.press('0');
expect((await range.textContent()).startsWith('The whole trace'), 'a key shows the whole trace again');
await page.getByRole('button', { name: '+', exact: true }).click();
expect((await range.textContent()).includes(' to '), 'a button zooms in');
await page.getByRole('button', { name: 'Whole' }).click();

// Rows can be searched, and the pointer shows details of a span.
await page.getByLabel('Find rows').fill('virtio-blk');
equal(await shown('.name span', page.locator('#lanes .lane:not(.head .lane)')), ['virtio-blk request pid=7751 vdev=0x55c5e829d200'], 'matching rows');
await page.locator('#lanes .lane path[class^=s]').scrollIntoViewIfNeeded();
const span = await lanes.locator('.lane path[class^=s]').first().evaluate(path => {
    const box = path.closest('svg').getBoundingClientRect(), [x, y] = path.getAttribute('d').slice(1).split('h')[0].split(' ').map(Number);
    return { x: box.x + x + 0.5, y: box.y + y + 3 };
});
await page.mouse.move(span.x, span.y);
const readout = await page.locator('#timeline-readout').textContent();
expect(/virtio-blk request: [\d.]+ (µs|ms), from/.test(readout), `details of a span, found ${readout}`);
await page.getByLabel('Find rows').fill('no such row');
expect(await page.getByText('No matching rows.').isVisible(), 'an empty result is explained');
await page.getByLabel('Find rows').fill('');

// The slowest spans can be expanded with the mouse and the keyboard, and show all their records.
const slow = page.locator('#latency article', { has: page.getByRole('heading', { name: 'virtio-blk request' }) }).locator('details');
expect(await slow.count() === 10, 'the ten slowest spans are listed');
await slow.nth(1).locator('summary').focus();
await page.keyboard.press('Enter');
equal(await shown('tbody th', slow.nth(1)), ['virtio_blk_handle_read', 'virtio_blk_rw_complete', 'virtio_blk_req_complete'], 'the records of a span');

// Text has enough contrast in both colour schemes, and pages fit on the screen of a telephone.
const contrast = () => page.evaluate(() => {
    const parts = colour => colour.match(/[\d.]+/g).map(Number);
    const light = colour => {
        const [r, g, b] = parts(colour).map(part => part / 255).map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = element => {
        for (; element; element = element.parentElement) {
            const colour = getComputedStyle(element).backgroundColor;
            if (parts(colour)[3] !== 0) return colour;
        }
        return 'rgb(255, 255, 255)';
    };
    let worst = { ratio: 99 };
    for (const element of document.querySelectorAll('h1, p, a, dt, dd, th, td, code, summary span, .axis span, .name span, .name b, button:enabled, .hint, .note')) {
        const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < worst.ratio) worst = { ratio, element: element.outerHTML.slice(0, 80) };
    }
    return worst;
});
const grounds = [];
for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    for (const path of [boot, hostile]) {
        await open(path);
        const worst = await contrast();
        expect(worst.ratio >= 4.5, `contrast of ${worst.ratio} in ${colorScheme}: ${worst.element}`);
    }
}
expect(grounds[0] !== grounds[1], 'light and dark have different backgrounds');
for (const width of [400, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of args) {
        await open(path);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide <= width, `${path} fits in ${width} pixels, needs ${wide}`);
    }
}

// Event names are not broken into several lines.
await open(wide);
await page.evaluate(() => document.querySelectorAll('details').forEach(details => { details.open = true; }));
const broken = await page.evaluate(() => [...document.querySelectorAll('tbody th')].filter(th => {
    const range = document.createRange();
    range.selectNodeContents(th);
    return /^\w+$/.test(th.textContent.trim()) && new Set([...range.getClientRects()].map(line => Math.round(line.top))).size > 1;
}).map(th => th.textContent));
equal(broken, [], 'names that are broken into several lines');

// The end of a long name is visible in the timeline, where the names of similar events differ.
const labels = () => page.locator('#lanes .lane .name').evaluateAll(names => names.map(name => {
    const [head, tail] = name.querySelectorAll('i'), isCut = part => part.scrollWidth > part.clientWidth;
    return { text: name.querySelector('span').textContent, title: name.title, head: isCut(head), tail: isCut(tail), width: name.clientWidth };
}));
const wideLabels = (await labels()).filter(label => label.title);
equal(wideLabels.filter(label => label.title !== label.text || label.tail), [], 'incomplete names');
expect(wideLabels.filter(label => label.head).length >= 1, `names are cut in the middle: ${JSON.stringify(wideLabels)}`);
await page.setViewportSize({ width: 800, height: 800 });
expect(wideLabels[0].width > (await labels())[0].width + 50, 'a wide window has room for longer names');
await page.setViewportSize({ width: 1280, height: 800 });

// When printed, everything is expanded, and buttons are hidden.
await open(boot);
await page.emulateMedia({ media: 'print' });
expect(!await page.locator('nav').isVisible() && !await page.locator('.tools').first().isVisible(), 'no buttons in print');
await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
expect(await page.locator('details:not([open])').count() === 0, 'everything is expanded in print');
await page.evaluate(() => dispatchEvent(new Event('afterprint')));
expect(await page.locator('details[open]').count() === 1, 'the rest is collapsed again');
expect((await page.pdf()).length > 10000, 'the printed document is not empty');
await page.emulateMedia({ media: 'screen' });

// Text from the trace is never interpreted as HTML.
await open(hostile);
expect(await page.evaluate(() => window.hacked) === undefined, 'no script from the trace runs');
expect(await page.locator('img, iframe, object, form').count() === 0, 'no elements come from the trace');
const bad = '</script><img src=x onerror=hacked=1>';
expect((await page.title()).includes(bad.split('/')[1]), 'the title contains the text');
equal(await page.locator(`main :text-is(${JSON.stringify(bad + ' 7')})`).count() >= 2, true, 'the thread is in the timeline and in the table');
expect((await page.locator('#recording').textContent()).includes(bad), 'the name of the host contains the text');
expect((await page.locator('#latency').textContent()).includes(`what=${bad}`), 'the argument contains the text');
expect((await page.locator('#missing').textContent()).includes('overwritten'), 'losses are shown');

// With thousands of events, a table first shows some rows, and all rows on request.
await open(many);
expect((await names()).length === 50, 'the first rows');
await page.getByRole('button', { name: 'Show all 6,000' }).click();
expect((await names()).length === 6000, 'all rows');
expect(await events.locator('tbody tr').last().locator('svg').count() === 1, 'the last row has its sparkline');
await page.getByLabel('Find rows').fill('event_5999');
equal(await shown('.name span', page.locator('#lanes .lane:not(.head .lane)')), ['event_5999'], 'the row of any event');

// A burst at the end of the trace is as visible as one at its start, and so is a loss.
await open(gap);
const { edges, plotWidth, loss } = await page.locator('#lanes .lane:has-text("All events") svg').evaluate(svg => ({
    edges: [...svg.querySelector('path:not([class])').getAttribute('d').matchAll(/H(-?[\d.]+)V([\d.]+)/g)].map(([, x]) => Math.max(0, Number(x))),
    plotWidth: Number(svg.getAttribute('width')),
    loss: svg.querySelector('.loss')?.getAttribute('d') ?? 'none',
}));
equal(edges.length, 4, 'two bars');
expect(edges[1] - edges[0] >= 1 && edges[2] <= plotWidth - 1 && edges[3] === plotWidth, `bars at both ends of ${plotWidth} pixels, found edges ${edges}`);
expect(Number(loss.match(/^M([\d.]+) /)?.[1]) <= plotWidth - 0.5, `a line of the loss at the end, found ${loss}`);

// If only the longest spans are shown, the number beside them shows that.
await open(spans);
const spanCount = page.locator('#lanes .lane:has-text(":id") b');
equal(await spanCount.textContent(), '5,000 of 6,000 spans', 'the number of spans');
await page.getByRole('button', { name: '+', exact: true }).click();
expect(/^[\d,]+ shown$/.test(await spanCount.textContent()), `the number of visible spans, found ${await spanCount.textContent()}`);

// The timeline works even if the table of events does not show all of them.
await open(manyNames);
expect(await page.getByText('more kinds of events are not shown').isVisible(), 'some events are not shown');
expect((await range.textContent()).startsWith('The whole trace'), 'the timeline is interactive');

await open(empty);
expect(await page.getByText('The trace contains no events').isVisible(), 'an empty trace is explained');

// Everything is readable without JavaScript.
const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
await plain.goto('file://' + boot);
expect(await plain.locator('#event-table').getByText('virtio_blk_handle_read', { exact: true }).isVisible(), 'a table without a script');
expect(await plain.locator('#lanes svg').count() > 5, 'a timeline without a script');
const closed = plain.locator('#latency details', { hasText: 'virtio_blk_rw_complete' }).nth(1);
await closed.locator('summary').click();
expect(await closed.getByText('virtio_blk_rw_complete').isVisible(), 'details without a script');

equal(requests.filter(url => !url.startsWith('file:')), [], 'requests');
equal(problems, [], 'problems');
return 'done';
