import { post } from '../shared/build-company.mjs';
import { between } from '../shared/machine.mjs';
import { percentile } from '../shared/measure.mjs';
import { fixed } from '../shared/table.mjs';
import { openContext } from './browser.mjs';

const CHANGES = 100;

export async function measureTwoBrowsers({ browsers, product, known, machine, report }) {
  const path = `/api/companies/${known.company}/issues`;
  const issue = await post(`${product.url}${path}`, { title: 'Moved to and fro', status: 'todo' });
  const [one, other] = await Promise.all(
    browsers.map(async (browser) => {
      const page = await (await openContext(browser, product.url)).newPage();
      await page.goto(`/BEN/issues/${issue.identifier}`);
      await page.getByText('Live', { exact: true }).waitFor();
      return page;
    }),
  );
  const status = (page) => page.getByRole('button', { name: /^Status: / });
  await status(one).waitFor();
  const times = [];
  const before = machine.read(product.pids);
  for (let change = 0; change < CHANGES; change++) {
    const [, present] = /^Status: (.*)$/.exec(await status(one).getAttribute('aria-label'));
    const to = present === 'Backlog' ? 'Todo' : 'Backlog';
    await status(one).click();
    const option = one.getByRole('option', { name: new RegExp(`${to}$`) });
    await option.waitFor();
    await option.evaluate((element) =>
      element.addEventListener(
        'click',
        () => Object.assign(window, { clickedAt: Date.now() }),
        true,
      ),
    );
    const seen = other.evaluate(untilShown(to));
    await option.click();
    times.push((await seen) - (await one.evaluate('clickedAt')));
  }
  const { foreign } = between(before, machine.read(product.pids));
  for (const page of [one, other]) await page.context().close();
  report.head(['two browsers', 'p50 ms', 'p95 ms', 'slowest', 'other work']);
  report.row([
    'status of an issue, from the click to the other browser',
    ...[0.5, 0.95, 1].map((share) => fixed(percentile(times, share))),
    `${Math.round(foreign * 100)} %`,
  ]);
}

const untilShown = (name) => `new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector('[aria-label="Status: ${name}"]')) return;
    observer.disconnect();
    resolve(Date.now());
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  look();
})`;
