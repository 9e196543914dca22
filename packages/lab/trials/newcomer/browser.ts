import type { Browser, BrowserContext, Page as Tab } from 'playwright-core';

export async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext();
  context.setDefaultTimeout(120_000);
  return context;
}

interface SessionOf {
  user: { email: string };
  memberships: { companyId: string; role: string }[];
}

export async function pressToSignIn(tab: Tab, name: string): Promise<void> {
  const answered = tab.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/api\/auth\//.test(response.url()),
  );
  await tab.getByRole('button', { name }).click();
  const response = await answered;
  if (!response.ok()) throw new Error(`${name}: ${response.status()} ${await response.text()}`);
}

export async function sessionOf(context: BrowserContext, base: string): Promise<SessionOf> {
  const response = await context.request.get(`${base}/api/auth/session`);
  if (!response.ok()) throw new Error(`the sign-in failed: ${await response.text()}`);
  return response.json();
}

interface Asked {
  method: string;
  path: string;
  body: string;
  parameters?: Record<string, string>;
}

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

const jsonIn = (text: string) => text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
