import { between } from '../shared/machine.mjs';
import { percentile } from '../shared/measure.mjs';
import { fixed } from '../shared/table.mjs';
import { openContext } from './browser.mjs';

const CARDS = 5_000;
const INTERACTIONS = 200;

export async function measureBoard({ browser, product, machine, report }) {
  const context = await openContext(browser, product.url);
  const page = await openBoard(context, CARDS);
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
  await context.close();
}

export async function openBoard(context, cards) {
  const page = await context.newPage();
  await page.goto('/BEN/issues?view=board');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.locator('article').first().waitFor();
  for (let known = 0; known < cards; ) {
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
  return page;
}
const CARD_HEIGHT = 110;

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
      .getByRole('button', { name: /^Collapse / })
      .first()
      .click();
    await page
      .getByTitle(/^Expand /)
      .first()
      .click();
  },
};

/**
 * Records the longest event of each interaction, as Interaction to Next Paint does; the browser
 * omits events below 16 ms.
 */
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
