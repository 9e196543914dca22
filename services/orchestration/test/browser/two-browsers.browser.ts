import { until } from '@switchyard/testing';
import type { Page } from 'playwright-core';
import { live, settled } from './settled';
import { useConsole } from './use-console';

const AWAY =
  /ERR_(?:CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|CONNECTION_RESET)/;

const status = (page: Page, name: string) =>
  page.locator('main').getByRole('button', { name: `Status: ${name}`, exact: true });

const offline = (page: Page) =>
  page
    .getByText(/^Offline/)
    .first()
    .waitFor();

async function setStatus(page: Page, from: string, to: string): Promise<void> {
  await status(page, from).click();
  await page.getByRole('option', { name: new RegExp(`${to}$`) }).click();
}

describe('two browsers on one issue', () => {
  const console = useConsole();

  it('show each other’s changes before and after an API outage, and keep typed text', async () => {
    const { build, api } = console.harness;
    const company = await build.company();
    const issue = await build.issue({ companyId: company.id, status: 'todo' });
    const path = `/${company.issuePrefix}/issues/${issue.identifier}`;
    const [one, other] = [
      (await console.open(path, { expects: AWAY })).page,
      (await console.open(path, { expects: AWAY })).page,
    ];
    await Promise.all([one, other].flatMap((page) => [settled(page), live(page)]));
    await setStatus(one, 'Todo', 'Backlog');
    await status(other, 'Backlog').waitFor();

    const comment = other.locator('main textarea').last();
    await comment.fill('Half a thought');
    await one.keyboard.press('c');
    const dialog = one.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Not made yet');
    const refusal = other.getByRole('alert').filter({ hasText: 'The service does not respond' });
    await console.restartApi(async () => {
      await Promise.all([one, other].map(offline));
      await setStatus(other, 'Backlog', 'Cancelled');
      await refusal.waitFor();
      await api.patch(`/api/issues/${issue.id}`).send({ status: 'todo' }).expect(200);
      await build.issue({ companyId: company.id, title: 'Made meanwhile' });
    });
    await Promise.all([one, other].map(live));
    await refusal.waitFor({ state: 'detached' });
    await Promise.all([one, other].map((page) => status(page, 'Todo').waitFor()));
    expect(await comment.inputValue()).toBe('Half a thought');
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Not made yet');

    await comment.press('ControlOrMeta+Enter');
    await one.locator('main').getByText('Half a thought').waitFor();
    await one.keyboard.press('Escape');
    await setStatus(other, 'Todo', 'Backlog');
    await status(one, 'Backlog').waitFor();
  });

  it('show both texts after a conflicting edit, and save the chosen text', async () => {
    const { build, api } = console.harness;
    const company = await build.company();
    const issue = await build.issue({ companyId: company.id, title: 'Before' });
    const read = async () => (await api.get(`/api/issues/${issue.id}`)).body;
    const { page } = await console.open(`/${company.issuePrefix}/issues/${issue.identifier}`, {
      expects: /status of 409/,
    });
    await settled(page);
    const rename = async (title: string) => {
      await page.getByRole('button', { name: 'Edit title' }).click();
      await page.getByRole('textbox', { name: 'Title' }).fill(title);
    };
    await rename('Mine');
    await api.patch(`/api/issues/${issue.id}`).send({ title: 'Theirs' }).expect(200);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Changed in the meantime' });
    await dialog.getByRole('region', { name: 'Their text' }).getByText('Theirs').waitFor();
    await dialog.getByRole('region', { name: 'Your text' }).getByText('Mine').waitFor();
    expect(await read()).toMatchObject({ title: 'Theirs' });
    await dialog.getByRole('button', { name: 'Use my text' }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    await until('the chosen text', async () => (await read()).title === 'Mine');

    await rename('Mine, once more');
    await api.patch(`/api/issues/${issue.id}`).send({ priority: 'high' }).expect(200);
    await page.keyboard.press('Enter');
    await until('the text that nobody else changed', async () => {
      const { title, priority } = await read();
      return title === 'Mine, once more' && priority === 'high';
    });
  });

  it.each([
    { news: 'before the refusal', isLive: true },
    { news: 'only with the refusal', isLive: false },
  ])(
    'undo a change that the API refused because of another client’s change, whose event arrives $news',
    async ({ isLive }) => {
      const { build, api } = console.harness;
      const company = await build.company();
      const issue = await build.issue({ companyId: company.id, status: 'todo' });
      const path = `/${company.issuePrefix}/issues/${issue.identifier}`;
      const { page } = await console.open('/', { expects: /ERR_FAILED/ });
      if (!isLive) await page.route('**/changes*', (route) => route.abort());
      await page.goto(console.url + path);
      await settled(page);
      if (isLive) await live(page);
      await page.route(`**/api/issues/${issue.id}`, async (route) => {
        if (route.request().method() === 'PATCH') {
          await api.patch(`/api/issues/${issue.id}`).send({ status: 'cancelled' }).expect(200);
          if (isLive) await status(page, 'Cancelled').waitFor();
        }
        await route.fallback();
      });
      await setStatus(page, 'Todo', 'Backlog');
      await page
        .getByText(/cannot|can't|not allowed|transition/i)
        .first()
        .waitFor();
      await status(page, 'Cancelled').waitFor();
    },
  );
});
