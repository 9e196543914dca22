import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ClonedDatabase, cloneDatabase, freePort } from '@switchyard/testing';
import { binance } from '@switchyard/testing/exchange-sim/binance';
import { type ExchangeSim, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults } from './accessibility';
import { shareChromium } from './chromium';
import { THEMES, takePicture, WIDTHS } from './use-console';
import { watchPage } from './watch-page';

const METRICS = join(__dirname, '../../../metrics');
const BIN = join(METRICS, 'dist/bin/metrics.js');

const shows = {
  '/dashboard': async (page: Page) => {
    await page.locator('#components td').first().waitFor();
    await page.locator('canvas').first().waitFor();
  },
  '/docs': (page: Page) => page.locator('.opblock-tag').first().waitFor(),
};

describe('the pages of the metrics service', () => {
  let browser: Browser;
  let service: Awaited<ReturnType<typeof startMetrics>>;
  beforeAll(async () => {
    [browser, service] = await Promise.all([shareChromium(), startMetrics()]);
    for (const name of ['first', 'second']) {
      const body = JSON.stringify({ collection_id: name });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${service.url}/metrics/collect`, {
        method: 'POST',
        headers,
        body,
      });
      expect(answer.ok).toBe(true);
    }
  });
  afterAll(async () => {
    await service?.close();
  });

  it.each(Object.entries(shows))(
    'pass the accessibility check in both themes, in wide and narrow windows: %s',
    async (path, shown) => lookAt(browser, service.url + path, `metrics${path}`, shown),
  );

  it('show charts in a browser with an invalid language tag', async () => {
    const context = await browser.newContext();
    await context.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })",
    );
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard`);
    await page.locator('canvas').first().waitFor();
    await context.close();
  });

  it('use the service’s clock, not the browser’s clock, for the period and the age of data', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install({ time: new Date('2020-01-01T00:00:00Z') });
    const starts: number[] = [];
    page.on('request', (request) => {
      const start = new URL(request.url()).searchParams.get('start');
      if (start) starts.push(Date.parse(start));
    });
    await page.goto(`${service.url}/dashboard`);
    await page.locator('body[data-ready]').waitFor();
    expect(Math.min(...starts)).toBeGreaterThan(Date.now() - 8 * 86_400_000);
    expect(await page.locator('#price-age').textContent()).toMatch(/ (s|min) ago$/);
    await context.close();
  });

  it('send no requests while they are hidden, and one request immediately when they are visible again', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${service.url}/dashboard`);
    await page.locator('body[data-ready]').waitFor();
    const turn = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await turn('hidden');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.runFor('01:00:00');
    expect(asked).toEqual([]);
    const looks = () => page.waitForResponse((answer) => answer.url().includes('/dashboard/state'));
    await Promise.all([looks(), turn('visible')]);
    await Promise.all([looks(), page.clock.runFor('00:01:00')]);
    await context.close();
  });
});

describe('the dashboard before the first collection', () => {
  let browser: Browser;
  let service: Awaited<ReturnType<typeof startMetrics>>;
  beforeAll(async () => {
    [browser, service] = await Promise.all([shareChromium(), startMetrics()]);
  });
  afterAll(async () => {
    await service?.close();
  });

  it('shows "no data" for equity, price and regime, and causes no error response', async () => {
    const missing: string[] = [];
    await lookAt(browser, `${service.url}/dashboard`, 'metrics/empty', async (page) => {
      page.on('response', (answer) => answer.ok() || missing.push(answer.url()));
      await page.reload();
      await page.locator('body[data-ready]').waitFor();
      for (const panel of ['equity', 'price', 'regime']) {
        expect(await page.locator(`#${panel}-age`).textContent()).toBe('no data');
      }
      expect(await page.locator('#price-chart canvas, #spread-chart canvas').count()).toBe(2);
    });
    expect(missing).toEqual([]);
  });
});

describe('the dashboard of several accounts', () => {
  let browser: Browser;
  let exchange: ExchangeSim;
  let service: Awaited<ReturnType<typeof startMetrics>>;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'accounts-'));
    exchange = await startExchangeSim({ dialect: binance, seed: 7 });
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const accounts = [
      { name: 'play', exchange: 'simulated' },
      {
        ...{ name: 'main', exchange: 'binance', base_url: exchange.url },
        api_key_file: write('main.key', exchange.account.apiKey),
        api_secret_file: write('main.secret', exchange.account.secret),
      },
      { name: 'broken', exchange: 'nowhere' },
    ];
    const file = write('accounts.json', JSON.stringify({ accounts }));
    [browser, service] = await Promise.all([
      shareChromium(),
      startMetrics({ METRICS_ACCOUNTS: file }),
    ]);
    const answer = await fetch(`${service.url}/metrics/collect`, { method: 'POST' });
    expect(answer.ok).toBe(true);
  });
  afterAll(async () => {
    await service?.close();
    await exchange?.close();
    rmSync(folder, { recursive: true });
  });

  it('passes the accessibility check in both themes, in wide and narrow windows', () =>
    lookAt(browser, `${service.url}/dashboard`, 'metrics/accounts', shows['/dashboard']));

  it('shows the worst state of all accounts, regardless of the selected account', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard?account=play`);
    await page.locator('body[data-ready]').waitFor();
    const classesOf = async (place: string) =>
      (await page.locator(place).getAttribute('class'))?.split(' ');
    const textOf = (place: string) => page.locator(place).textContent();
    expect(await textOf('#freshness')).toMatch(/^failed: .*account broken · /);
    expect(await classesOf('#freshness')).toEqual(['pill', 'failed']);
    expect(await textOf('#worst')).toMatch(/Failed: .*account broken/);
    expect(await classesOf('#worst')).toEqual(['tile', 'bad-tile']);
    await context.close();
  });

  it('marks only simulated accounts, and shows every account’s state without horizontal scrolling', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    for (const [account, isSimulated] of Object.entries({
      play: true,
      main: true,
      broken: false,
    })) {
      await page.goto(`${service.url}/dashboard?account=${account}`);
      await page.locator('body[data-ready]').waitFor();
      expect([account, await page.locator('#simulated').isVisible()]).toEqual([
        account,
        isSimulated,
      ]);
    }
    const row = page.locator('#accounts tbody tr', { hasText: 'broken' });
    expect(await row.textContent()).toMatch(/nowhere/);
    const endOf = (column: string) =>
      page.evaluate<number>(
        `[...document.querySelectorAll('#accounts th')]
           .find((cell) => cell.textContent === '${column}').getBoundingClientRect().right -
         document.querySelector('#accounts').getBoundingClientRect().right`,
      );
    for (const column of ['State', 'Seen', 'Exchange']) {
      expect(await endOf(column)).toBeLessThanOrEqual(0.5);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await endOf('State')).toBeLessThanOrEqual(0.5);
    await context.close();
  });

  it('shows the overall state first', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard`);
    await page.locator('body[data-ready]').waitFor();
    const first = "[...document.querySelectorAll('main > *')].find((one) => !one.hidden).id";
    expect(await page.evaluate<string>(first)).toBe('glance');
    await context.close();
  });

  it('links to a page per account, whose URL contains the account’s name', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard`);
    const row = page.locator('#accounts tr', { hasText: 'main' });
    await row.getByRole('link').click();
    await page.waitForURL(/account=main/);
    await page.locator('#holdings', { hasText: 'ETH' }).waitFor();
    await page.locator('#accounts tr', { hasText: 'broken' }).getByText('failed').waitFor();
    await context.close();
  });
});

async function lookAt(
  browser: Browser,
  url: string,
  name: string,
  shown: (page: Page) => Promise<unknown>,
) {
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      const viewport = { width, height: 800 };
      const context = await browser.newContext({
        colorScheme: theme,
        viewport,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const { faults } = watchPage(page, new URL(url).origin);
      await page.goto(url);
      await shown(page);
      await takePicture(page, `${name}-${theme}-${width}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      const overflow =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate<number>(overflow)).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    }
  }
}

async function startMetrics(env: Record<string, string> = {}) {
  const database: ClonedDatabase = await cloneDatabase('metrics');
  const port = await freePort();
  const child = spawn(process.execPath, [BIN], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      MARKET_METRICS_PORT: String(port),
      LOG_FORMAT: 'json',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('metrics service is listening')) resolve();
    });
    void ended.then(([code]) => reject(new Error(`the metrics service ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      await database.drop();
    },
  };
}
