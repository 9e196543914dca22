import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Role } from '@switchyard/types';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type ApiProcess, startApiProcess } from '../api-process';
import {
  type AuthenticatedHarness,
  PASSWORD,
  type Person,
  SESSION_SECRET,
  startAuthenticatedHarness,
} from '../authenticated-harness';
import { type Harness, startHarness } from '../harness';
import { startRunnerProcess, startWorkerProcess, type WorkerProcess } from '../worker-process';
import { accessibilityFaults } from './accessibility';
import { shareChromium } from './chromium';
import { settled } from './settled';
import { type Watched, watchPage } from './watch-page';

export type Theme = 'light' | 'dark';

export interface Visit {
  theme?: Theme;
  width?: number;
  height?: number;
  language?: string;
  as?: Person;
  javaScript?: boolean;
  expects?: RegExp;
}

interface Opened extends Watched {
  page: Page;
  context: BrowserContext;
}

export interface Console {
  url: string;
  harness: Harness;
  people: Pick<AuthenticatedHarness, 'person' | 'operator' | 'join' | 'administrator'>;
  open(path: string, visit?: Visit): Promise<Opened>;
  restartApi(meanwhile?: () => Promise<unknown>): Promise<void>;
  member(companyId: string, role?: Role): Promise<Person>;
}

interface Options {
  mode?: 'local' | 'authenticated' | 'first-start';
  environment?: Record<string, string>;
  runnerEnvironment?: Record<string, string>;
}

/**
 * Starts the built API, worker and runner as processes on a separate database, and opens the
 * console in Chromium. A test fails for every fault of its pages (`watchPage`).
 */
export function useConsole(options: Options = {}): Console {
  const held = {} as Console;
  const opened: Opened[] = [];
  let browser: Browser;
  let parts: Parts;
  beforeAll(async () => {
    [parts, browser] = await Promise.all([startParts(options), shareChromium()]);
    Object.assign(held, {
      url: parts.api.url,
      harness: parts.harness,
      people: parts.harness,
      member: async (companyId: string, role: Role = 'operator') => {
        const people = parts.harness as AuthenticatedHarness;
        const person = await people.person();
        await people.join(person, companyId, role);
        return person;
      },
      restartApi: async (meanwhile?: () => Promise<unknown>) => {
        await end(parts.api);
        await meanwhile?.();
        parts.api = await parts.startApi();
      },
    });
    held.open = async (path, visit = {}) => {
      const one = await openPage(browser, held.url, path, visit);
      opened.push(one);
      return one;
    };
  });

  afterEach(async () => {
    const all = opened.splice(0);
    const name = `last-${expect.getState().currentTestName}`;
    for (const [at, { page }] of all.entries()) {
      if (!page.isClosed()) await takePicture(page, `${name}-${at}`);
    }
    await Promise.all(all.map(({ context }) => context.close()));
    expect(all.flatMap(({ faults }) => faults)).toEqual([]);
  });

  afterAll(async () => {
    if (parts) await end(parts.runner);
    await Promise.all([parts?.api, parts?.worker].map((each) => each && end(each)));
    await parts?.harness.close();
  });
  return held;
}

interface Parts {
  harness: Harness | AuthenticatedHarness;
  api: ApiProcess;
  worker: WorkerProcess;
  runner: WorkerProcess;
  startApi: () => Promise<ApiProcess>;
}

export const BOOTSTRAP_TOKEN = 'a bootstrap token that only the tests know';

async function startParts(options: Options): Promise<Parts> {
  const { mode = 'local', environment = {}, runnerEnvironment } = options;
  const hasPeople = mode === 'authenticated';
  const harness = hasPeople ? await startAuthenticatedHarness() : await startHarness();
  const settings: Record<string, string> = {
    ...(mode !== 'local' && { AUTH_MODE: 'authenticated', SESSION_SECRET, BOOTSTRAP_TOKEN }),
    ...environment,
  };
  const api = await startApiProcess(harness.config, settings);
  const address = { PUBLIC_URL: api.url, AGENT_API_URL: api.url };
  const worker = await startWorkerProcess(harness.config, { ...settings, ...address });
  const runner = await startRunnerProcess(harness.config, worker.url, runnerEnvironment);
  const { port } = new URL(api.url);
  const again = { ...settings, ...address, API_PORT: port };
  const startApi = () =>
    startApiProcess(harness.config, again).then((one) => ({ ...one, url: api.url }));
  return { harness, api, worker, runner, startApi };
}

async function end(running: WorkerProcess): Promise<void> {
  running.signal('SIGTERM');
  await running.ended;
}

async function openPage(
  browser: Browser,
  url: string,
  path: string,
  visit: Visit,
): Promise<Opened> {
  const { theme = 'light', width = 1280, height = 800, language = 'en', as } = visit;
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: theme,
    viewport: { width, height },
    locale: language,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    javaScriptEnabled: visit.javaScript ?? true,
    hasTouch: width < 600,
    isMobile: width < 600,
  });
  // The error names the element that never appeared. The timeout is far longer than a loaded
  // machine needs.
  context.setDefaultTimeout(180_000);
  if (as) await signIn(context, as);
  const page = await context.newPage();
  const watched = watchPage(page, url, visit.expects);
  await page.goto(path);
  return { context, page, ...watched };
}

async function signIn(context: BrowserContext, { email }: Person): Promise<void> {
  const response = await context.request.post('/api/auth/login', {
    data: { email, password: PASSWORD },
  });
  if (!response.ok()) throw new Error(`signing in: ${response.status()} ${await response.text()}`);
}

export const WIDTHS = [1280, 390];
export const THEMES: Theme[] = ['light', 'dark'];

/**
 * Opens a screen in both themes, wide and narrow, and returns axe's findings. If `SCREENSHOTS` is
 * set, saves pictures in that folder.
 */
export async function lookAt(
  { open }: Pick<Console, 'open'>,
  path: string,
  visit: Visit = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    const { page, context } = await open(path, { ...visit, width });
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await settled(page);
      await takePicture(page, `${path}-${theme}-${width}`);
      const faults = await accessibilityFaults(page);
      const overflow = await sidewaysOverflow(page);
      if (overflow > 0) faults.push(`scrolls sideways by ${overflow} px`);
      found.push(...faults.map((fault) => `${path} ${theme} ${width}: ${fault}`));
    }
    await context.close();
  }
  return found;
}

/** In CSS pixels: how far content exceeds the width of the window or of a vertical scroll area. */
export function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(`Math.max(
    ...[document.documentElement, ...document.querySelectorAll('.overflow-y-auto')]
      .map((each) => each.scrollWidth - each.clientWidth))`);
}

export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  const file = join(folder, `${name.replace(/[^\w-]+/g, '-').replace(/^-|-$/g, '')}.png`);
  await mkdir(dirname(file), { recursive: true });
  await page.screenshot({ path: file });
}
