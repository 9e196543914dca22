import type { Page } from 'playwright-core';
import { holdBack, live } from './settled';
import { useConsole } from './use-console';

describe('data that was loaded before the event stream began', () => {
  const console = useConsole();

  const planted = async (name: string) => {
    const { build } = console.harness;
    const company = await build.company({ name });
    const issue = await build.issue({ companyId: company.id, title: `Of ${name}`, status: 'todo' });
    return { company, issue, path: `/${company.issuePrefix}/issues` };
  };
  const row = (page: Page, title: string) =>
    page.locator('main').getByRole('link', { name: title }).waitFor();
  const rename = (id: string, title: string) =>
    console.harness.api.patch(`/api/issues/${id}`).send({ title }).expect(200);
  const openSwitcher = (page: Page, from: string) =>
    page.getByRole('button', { name: `Switch company: ${from}` }).click();
  const switchTo = async (page: Page, from: string, to: string) => {
    await openSwitcher(page, from);
    await choose(page, to);
  };
  const choose = async (page: Page, to: string) => {
    await page.getByRole('dialog').getByRole('button', { name: to }).click();
    await page.getByRole('button', { name: `Switch company: ${to}` }).waitFor();
  };

  it('refreshes when the stream begins, if it has changed in the meantime', async () => {
    const { issue, path } = await planted('Acme');
    const { page } = await console.open('/account');
    const begin = await holdBack(page, '**/changes');
    await page.goto(console.url + path);
    await row(page, issue.title);
    await rename(issue.id, 'Changed meanwhile');
    begin();
    await row(page, 'Changed meanwhile');
  });

  it.each([
    { tabs: 'in a single tab', isAlone: true },
    { tabs: 'in a tab that shares the stream of another tab', isAlone: false },
  ])(
    'refreshes if it has changed during a visit to another company, $tabs',
    async ({ isAlone }) => {
      const [here, there] = isAlone ? ['Northwind', 'Southwind'] : ['Eastwind', 'Westwind'];
      const { issue, path } = await planted(here);
      await planted(there);
      const { page: first, context } = await console.open(path);
      await live(first);
      const page = isAlone ? first : await context.newPage();
      await page.goto(console.url + path);
      await row(page, issue.title);
      await live(page);
      await switchTo(page, here, there);
      await live(page);
      await rename(issue.id, 'Changed elsewhere');
      if (!isAlone) await row(first, 'Changed elsewhere');
      await switchTo(page, there, here);
      await page.getByRole('link', { name: 'Issues', exact: true }).first().click();
      await row(page, 'Changed elsewhere');
    },
  );

  it('includes the list of companies, at whose event position the next company’s stream starts', async () => {
    const { issue, path } = await planted('Longwind');
    await planted('Shortwind');
    const { page } = await console.open(path);
    await row(page, issue.title);
    await live(page);
    await page.clock.setFixedTime(Date.now() + 2 * 3_600_000);
    await rename(issue.id, 'Changed hours later');
    const [companies] = await Promise.all([
      page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/companies'),
      openSwitcher(page, 'Longwind'),
    ]);
    await companies.finished();
    const [stream] = await Promise.all([
      page.waitForRequest('**/changes'),
      choose(page, 'Shortwind'),
    ]);
    expect(stream.headers()['last-event-id']).toBe(companies.headers()['x-event-position']);
  });
});
