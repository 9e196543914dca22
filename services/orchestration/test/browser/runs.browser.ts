import { fillRunLog } from '../fill-run-log';
import { settled } from './settled';
import { lookAt, useConsole } from './use-console';

describe('runs in the console', () => {
  const console = useConsole();

  const programOf = (companyId: string, program: string, name: string) =>
    console.harness.build.agent({
      companyId,
      name,
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['-e', program] },
    });

  it('show their issue, the reason for their failure, and a coloured, searchable log', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const lines = Array.from({ length: 400 }, (_, line) => `line ${line}`);
    const agent = await programOf(
      company.id,
      `console.log('\\x1b[31mred\\x1b[0m <b>bold</b>\\n' + ${JSON.stringify(lines.join('\n'))}); process.exit(3)`,
      'Otto',
    );
    const issue = await build.issue({ companyId: company.id, title: 'Migrate the table' });
    await build.queuedRun(agent.id, { issueId: issue.id, reason: 'Begin with the orders' });
    const { page } = await console.open(`/${company.issuePrefix}/runs`);
    const row = page.getByRole('listitem').filter({ hasText: 'Migrate the table' });
    await row.getByText('exit code 3').waitFor();
    await row.getByRole('link').first().click();

    await page.getByRole('heading', { level: 1, name: 'Migrate the table' }).waitFor();
    await page.getByText('Begin with the orders').waitFor();
    await page.getByText('line 399').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search the log' });
    await search.fill('red <b>bold');
    await search.press('Enter');
    await page.getByText('Nothing found').waitFor();
    await search.fill('<b>bold</b>');
    await search.press('Enter');
    await page.getByText('1 of 1').waitFor();
    const red = page.getByText('red', { exact: true });
    await red.waitFor();
    expect(await red.getAttribute('class')).toBe('ansi-red');
    expect(await page.locator('main b').count()).toBe(0);

    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Open run' }).click();
    await page.getByText('Failed').first().waitFor();
    await page.getByRole('link', { name: 'the previous run' }).waitFor();
  });

  it('show their output live, and can then be cancelled', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const program = `let n = 0; setInterval(() => console.log('step ' + ++n), 250)`;
    const agent = await programOf(company.id, program, 'Mara');
    const run = await build.queuedRun(agent.id, { reason: 'Count' });
    const { page } = await console.open(`/${company.issuePrefix}/runs/${run.id}`);
    const steps = page.getByText(/^step \d+$/);
    await steps.first().waitFor();
    const seen = await steps.count();
    await steps.nth(seen + 3).waitFor();
    await page.getByRole('switch', { name: 'Follow', checked: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
  });

  it('can be cancelled individually or by a filter, after the console has shown how many are affected', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const agents = await Promise.all(
      ['Ada', 'Bea', 'Cem'].map((name) =>
        build.agent({ companyId: company.id, name, adapterType: 'external', adapterConfig: {} }),
      ),
    );
    for (const { id, name } of agents) await build.queuedRun(id, { reason: `Work of ${name}` });
    const { page } = await console.open(`/${company.issuePrefix}/runs`);
    await settled(page);
    await page.getByRole('checkbox', { name: 'Select: Work of Bea' }).check();
    await page.getByRole('button', { name: 'Cancel selected …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel 1 run' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Queued' }).click();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/runs?status=queued');
    await page.getByText('Work of Bea').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel all …' }).click();
    await dialog.getByRole('button', { name: 'Cancel 2 runs' }).click();
    await page.getByText('No runs match these filters').waitFor();
  });

  it('show a log of 50 MB without loading all of it', async () => {
    const { build } = console.harness;
    const agent = await build.agent({ adapterType: 'external', adapterConfig: {} });
    const company = await console.harness.api.get(`/api/companies/${agent.companyId}`);
    const { id } = await build.liveRun(agent);
    await fillRunLog(console.harness, id, 50);
    await build.endLiveRun(id);
    const { page, requests } = await console.open(`/${company.body.issuePrefix}/runs/${id}`);
    await page.getByText(/^0 B to .* of 52\.4 MB$/).waitFor();
    await page.getByRole('button', { name: 'Go to end' }).click();
    await page.getByText(/to 52\.4 MB of 52\.4 MB$/).waitFor();
    expect(requests.filter((each) => /\/log\?/.test(each)).length).toBeLessThan(8);
    const sizes = await page.evaluate<number>(
      `document.querySelector('[aria-label="Log lines"]').innerText.length`,
    );
    expect(sizes).toBeLessThan(500_000);
  });

  it('have pages that pass the accessibility check in both themes, in wide and narrow windows', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const agent = await programOf(
      company.id,
      `console.log('\\x1b[32mdone\\x1b[0m ' + 'long '.repeat(99))`,
      'Ada',
    );
    const issue = await build.issue({ companyId: company.id });
    const run = await build.queuedRun(agent.id, { issueId: issue.id, payload: { week: 47 } });
    const { page } = await console.open(`/${company.issuePrefix}/runs/${run.id}`);
    await page.getByText('Succeeded').first().waitFor();
    expect([
      ...(await lookAt(console, `/${company.issuePrefix}/runs`)),
      ...(await lookAt(console, `/${company.issuePrefix}/runs/${run.id}`)),
    ]).toEqual([]);
  });
});
