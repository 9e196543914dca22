import { readFileSync } from 'node:fs';
import { json } from '../shared/load.mjs';
import { between } from '../shared/machine.mjs';
import { percentile } from '../shared/measure.mjs';
import { fixed } from '../shared/table.mjs';
import { openContext, openGauges } from './browser.mjs';

const CARDS = 5_000;
const INTERACTIONS = 200;
const CHANGES = 3_600;
const PARALLEL = 4;

/** What a board of 5,000 cards costs a person who works on it, and its tab while a company works for an hour. */
export async function measureBoard({ browser, product, pool, known, machine, report }) {
  const context = await openContext(browser, product.url);
  const page = await context.newPage();
  await page.goto('/BEN/issues?view=board');
  await page.getByText('Live', { exact: true }).waitFor();
  await readCards(page);
  const gauges = await openGauges(page);
  const pid = await rendererOf(browser, page);
  await page.evaluate(OBSERVE);

  report.head([
    'interaction with 5,000 cards',
    'p50 / p95 ms',
    'of it in the page',
    'slowest',
    'other work',
  ]);
  const before = machine.read(product.pids);
  for (const [title, act] of Object.entries(ACTS)) {
    await page.evaluate('interactions.length = 0');
    for (let at = 0; at < INTERACTIONS / Object.keys(ACTS).length; at++) await act(page, at);
    await page.waitForTimeout(200);
    const all = await page.evaluate('interactions');
    const { foreign } = between(before, machine.read(product.pids));
    const of = (key, share) =>
      fixed(
        percentile(
          all.map((each) => each[key]),
          share,
        ),
      );
    report.row([
      `${title} (${all.length})`,
      `${of('duration', 0.5)} / ${of('duration', 0.95)}`,
      `${of('work', 0.5)} / ${of('work', 0.95)}`,
      of('duration', 1),
      `${Math.round(foreign * 100)} %`,
    ]);
  }

  report.head([
    'changes while the board is open',
    'JavaScript in use, MB',
    'private memory of the tab, MB',
    'page CPU ms a change',
  ]);
  const { rows } = await pool.query(
    `SELECT id FROM issue WHERE company_id = $1 AND status IN ('todo', 'backlog') ORDER BY id DESC LIMIT 2000`,
    [known.company],
  );
  let done = 0;
  for (const until of [0, CHANGES / 4, CHANGES / 2, (CHANGES * 3) / 4, CHANGES]) {
    const [taskMs, from] = [await gauges.taskMs(), done];
    done = await change(product, rows, done, until);
    await page.waitForTimeout(1_500);
    const spent = done > from ? fixed(((await gauges.taskMs()) - taskMs) / (done - from), 1) : '–';
    const heap = await gauges.heap();
    report.row([String(done), fixed(heap / 2 ** 20), fixed(privateBytes(pid) / 2 ** 20), spent]);
  }
  await context.close();
}

/** The columns are scrolled to their ends until so many cards were read. */
async function readCards(page) {
  await page.locator('article').first().waitFor();
  for (let known = 0; known < CARDS; ) {
    known = await page.evaluate(`(() => {
      let sum = 0;
      for (const list of document.querySelectorAll('main section ul[aria-label]')) {
        list.parentElement.scrollTop = list.parentElement.scrollHeight;
        sum += Math.round(list.getBoundingClientRect().height / ${CARD_HEIGHT});
      }
      return sum;
    })()`);
    await page.waitForTimeout(50);
  }
}
const CARD_HEIGHT = 110;

/** As a person would do them, each by the browser's own input. */
const ACTS = {
  'next card (j)': (page) => page.keyboard.press('j'),
  'choose a status (s, Escape)': async (page) => {
    await page.keyboard.press('s');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  },
  'move a card (s, a letter, Enter)': async (page, at) => {
    await page.keyboard.press('s');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(at % 2 ? 'back' : 'todo');
    await page.keyboard.press('Enter');
    if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  },
  'narrow and widen a column': async (page) => {
    await page
      .getByRole('button', { name: /^Make .* narrow$/ })
      .first()
      .click();
    await page
      .getByRole('button', { name: /^Show .* issues$/ })
      .first()
      .click();
  },
};

/** Of each interaction its longest event, as Interaction to Next Paint counts; below 16 ms nothing is reported. */
const OBSERVE = `
  window.interactions = [];
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration, processingStart, processingEnd } of list.getEntries()) {
      if (!id) continue;
      const work = processingEnd - processingStart;
      const known = interactions.find((each) => each.id === id);
      if (!known) interactions.push({ id, duration, work });
      else Object.assign(known, { duration: Math.max(known.duration, duration), work: known.work + work });
    }
  }).observe({ type: 'event', durationThreshold: 16 });`;

async function change(product, rows, from, until) {
  let next = from;
  const work = async () => {
    while (next < until) {
      const at = next++;
      const { id } = rows[at % rows.length];
      const body = { title: `Changed for the ${at}th time`, priority: ['high', 'low'][at % 2] };
      const response = await fetch(`${product.url}/api/issues/${id}`, json(body, 'PATCH'));
      if (!response.ok) throw new Error(`PATCH ${id}: ${response.status}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return until;
}

/** The process of a page; it is the only one of its origin. */
async function rendererOf(browser, page) {
  await page.evaluate('for (const end = performance.now() + 300; performance.now() < end; );');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return renderers.toSorted((a, b) => b.cpuTime - a.cpuTime)[0].id;
}

/** What would be free if the process ended. */
function privateBytes(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const found = text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm);
  return [...found].reduce((sum, [, kB]) => sum + Number(kB) * 1_024, 0);
}
