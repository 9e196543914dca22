import { readFileSync } from 'node:fs';
import { json } from '../shared/load.mjs';
import { fixed } from '../shared/table.mjs';
import { openBoard } from './board.mjs';
import { openContext, openGauges } from './browser.mjs';

const CARDS = 5_000;
const CHANGES = 3_600;
const EVERY = 600;
const PARALLEL = 4;

const MOST_MB = 150;
const MOST_HEAP_MB = 1;
const MOST_PRIVATE_MB = 10;

export async function measureGrowth({ browser, product, pool, known, report }) {
  const context = await openContext(browser, product.url);
  const page = await openBoard(context, CARDS);
  const gauges = await openGauges(page);
  const pid = await rendererOf(browser, page);
  report.head([
    'changes while the board is open',
    'JavaScript in use, MB',
    'private memory of the tab, MB',
    'page CPU ms per change',
  ]);
  const { rows } = await pool.query(
    `SELECT id FROM issue WHERE company_id = $1 AND status IN ('todo', 'backlog') ORDER BY id DESC LIMIT 2000`,
    [known.company],
  );
  const changing = { url: product.url, company: known.company, issues: rows.map(({ id }) => id) };
  const seen = [];
  for (let done = 0; done <= CHANGES; done += EVERY) {
    const before = await gauges.taskMs();
    if (done > 0) await change(changing, done - EVERY, done);
    await page.waitForTimeout(1_500);
    const spent = ((await gauges.taskMs()) - before) / EVERY;
    const heap = (await gauges.heap()) / 2 ** 20;
    const memory = privateBytes(pid) / 2 ** 20;
    seen.push({ done, heap, memory });
    report.row([String(done), fixed(heap, 1), fixed(memory), done > 0 ? fixed(spent, 1) : '–']);
  }
  await context.close();
  return isSteady(seen, report);
}

function isSteady(seen, report) {
  const [settled, last] = [seen[Math.ceil(seen.length / 3)], seen.at(-1)];
  const growth = (key) => ((last[key] - settled[key]) * 1_000) / (last.done - settled.done);
  const [heap, memory] = [growth('heap'), growth('memory')];
  const holds = heap <= MOST_HEAP_MB && memory <= MOST_PRIVATE_MB && last.memory <= MOST_MB;
  report.note(
    `A thousand changes more add ${fixed(heap, 2)} MB of JavaScript and ${fixed(memory, 1)} MB to the tab; ` +
      `${holds ? 'within' : 'ABOVE'} ${MOST_HEAP_MB} and ${MOST_PRIVATE_MB} MB, and ${MOST_MB} MB in all.`,
  );
  return holds;
}

async function change({ url, company, issues }, from, until) {
  let next = from;
  const send = async (path, options) => {
    const response = await fetch(`${url}/api/${path}`, options);
    if (!response.ok) throw new Error(`${options.method ?? 'POST'} ${path}: ${response.status}`);
    await response.arrayBuffer();
  };
  const act = (at) => {
    const id = issues[at % issues.length];
    if (at % 10 === 0)
      return send(`issues/${id}/comments`, json({ body: `Said for the ${at}th time` }));
    if (at % 10 === 1)
      return send(`companies/${company}/issues`, json({ title: `Made ${at}`, status: 'todo' }));
    const isMove = at % 10 < 4;
    const status = at % 4 < 2 ? 'backlog' : 'todo';
    const body = isMove
      ? { status }
      : { title: `Changed for the ${at}th time`, priority: ['high', 'low'][at % 2] };
    return send(`issues/${id}`, json(body, 'PATCH'));
  };
  const work = async () => {
    while (next < until) await act(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

async function rendererOf(browser, page) {
  await page.evaluate('for (const end = performance.now() + 300; performance.now() < end; );');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return renderers.toSorted((a, b) => b.cpuTime - a.cpuTime)[0].id;
}

function privateBytes(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const found = text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm);
  return [...found].reduce((sum, [, kB]) => sum + Number(kB) * 1_024, 0);
}
