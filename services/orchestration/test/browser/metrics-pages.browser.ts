import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ClonedDatabase, cloneDatabase, freePort } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults } from './accessibility';
import { launchChromium } from './chromium';
import { THEMES, takePicture, WIDTHS } from './use-console';
import { watchPage } from './watch-page';

jest.setTimeout(60_000);

const BIN = join(__dirname, '../../../metrics/dist/bin/metrics.js');

/** The built service with its simulated exchange, in Chromium; the console's own pages are looked at beside it. */
describe('the pages of the metrics service', () => {
  let browser: Browser;
  let service: Awaited<ReturnType<typeof startMetrics>>;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchChromium(), startMetrics()]);
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
    await browser?.close();
    await service?.close();
  });

  const shows: Record<string, (page: Page) => Promise<unknown>> = {
    '/dashboard': async (page) => {
      await page.locator('#components td').first().waitFor();
      await page.locator('canvas').first().waitFor();
    },
    '/docs': (page) => page.locator('.opblock-tag').first().waitFor(),
  };

  it.each(Object.entries(shows))(
    '%s can be read by anybody, in both themes, wide and narrow',
    async (path, shown) => {
      for (const width of WIDTHS) {
        for (const theme of THEMES) {
          const viewport = { width, height: 800 };
          const context = await browser.newContext({
            colorScheme: theme,
            viewport,
            reducedMotion: 'reduce',
          });
          const page = await context.newPage();
          const { faults } = watchPage(page, service.url);
          await page.goto(service.url + path);
          await shown(page);
          await takePicture(page, `metrics${path}-${theme}-${width}`);
          expect(await accessibilityFaults(page)).toEqual([]);
          const overflow =
            'document.documentElement.scrollWidth - document.documentElement.clientWidth';
          expect(await page.evaluate<number>(overflow)).toBe(0);
          expect(faults).toEqual([]);
          await context.close();
        }
      }
    },
  );
});

async function startMetrics() {
  const database: ClonedDatabase = await cloneDatabase('metrics');
  const port = await freePort();
  const child = spawn(process.execPath, [BIN], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      METRICS_PORT: String(port),
      LOG_FORMAT: 'json',
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
