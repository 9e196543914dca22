import { access } from 'node:fs/promises';
import { until } from '@switchyard/testing';
import { type Browser, type BrowserContext, chromium, type Page as Tab } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of this machine; none is downloaded. */
export async function openBrowser(): Promise<Browser> {
  for (const executablePath of PLACES) {
    if (!executablePath) continue;
    const isThere = await access(executablePath).then(
      () => true,
      () => false,
    );
    if (isThere) return chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }
  throw new Error('no Chromium was found: install one, or name its program in CHROMIUM');
}

interface SessionOf {
  user: { email: string };
  memberships: { companyId: string; role: string }[];
}

/** Whom a browser is signed in as, once it is. */
export const sessionOf = (context: BrowserContext, base: string): Promise<SessionOf> =>
  until('the sign-in', async () => {
    const response = await context.request.get(`${base}/api/auth/session`);
    return response.ok() ? ((await response.json()) as SessionOf) : null;
  });

interface Asked {
  method: string;
  path: string;
  body: string;
  parameters?: Record<string, string>;
}

/** Executes a request on /api/docs as a person does: opens it there, fills it in, and reads the answer on the page. */
export async function executeInReference(tab: Tab, base: string, asked: Asked) {
  await tab.goto(`${base}/api/docs`);
  const tags = tab.locator('.opblock-tag');
  await tags.first().waitFor();
  for (const tag of await tags.all()) await tag.click();
  const operation = tab
    .locator(`.opblock-${asked.method.toLowerCase()}`)
    .filter({ has: tab.locator(`[data-path="${asked.path}"]`) });
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  for (const [name, value] of Object.entries(asked.parameters ?? {})) {
    await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  await operation.locator('textarea.body-param__text').fill(asked.body);
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  const status = await answer.locator('.response-col_status').last().textContent();
  const text = await answer.locator('.highlight-code').first().textContent();
  return { status: Number.parseInt(status ?? '', 10), body: JSON.parse(jsonIn(text ?? '')) };
}

/** The body stands between buttons. */
const jsonIn = (text: string) => text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
