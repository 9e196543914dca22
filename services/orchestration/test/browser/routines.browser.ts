import { settled } from './settled';
import { lookAt, useConsole } from './use-console';

describe('routines in the console', () => {
  const console = useConsole();

  it('can be created with a schedule, which is shown in words and in its time zone', async () => {
    const { build, api } = console.harness;
    const company = await build.company();
    await build.agent({ companyId: company.id, name: 'Mara' });
    await build.project({ companyId: company.id, name: 'Books' });
    const { page } = await console.open(`/${company.issuePrefix}/routines`);
    await page.getByText('No routines yet').waitFor();
    await page.getByRole('button', { name: 'New routine' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Weekly report');
    await dialog.getByLabel('Agent', { exact: true }).selectOption('Mara');
    await dialog.getByLabel('Project').selectOption('Books');
    await dialog.getByLabel('Cron expression').fill('nonsense');
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByRole('button', { name: 'Mondays at 9:00' }).click();
    await dialog.getByLabel('Time zone').fill('America/New_York');
    await dialog.getByText('At 09:00, only on Monday').waitFor();
    await dialog.getByText('America/New_York').first().waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();

    await page.getByRole('heading', { level: 1, name: 'Weekly report' }).waitFor();
    await page
      .getByText(/Mon.*09:00/)
      .first()
      .waitFor();
    const stored = page.waitForResponse((each) => each.request().method() === 'PATCH');
    await page.getByRole('switch', { name: 'Weekly report is active' }).click();
    await page.getByText('no firings while paused').waitFor();
    await stored;
    const { body } = await api.get(`/api/companies/${company.id}/routines`);
    expect(body).toMatchObject([
      {
        status: 'paused',
        triggers: [{ cronExpression: '0 9 * * 1', timezone: 'America/New_York' }],
      },
    ]);
  });

  it('show their schedule in German to German browsers', async () => {
    const { build } = console.harness;
    const routine = await build.routine();
    await build.trigger(routine.id, { kind: 'schedule', cronExpression: '0 9 * * 1' });
    const { body: company } = await console.harness.api.get(`/api/companies/${routine.companyId}`);
    const { page } = await console.open(`/${company.issuePrefix}/routines`, { language: 'de' });
    await page.getByText('Um 09:00, nur jeden Montag').waitFor();
  });

  it('can be fired from their row, and by a webhook at the displayed address', async () => {
    const { build } = console.harness;
    const routine = await build.routine({ title: 'Nightly build' });
    const { body: company } = await console.harness.api.get(`/api/companies/${routine.companyId}`);
    const { page } = await console.open(`/${company.issuePrefix}/routines`);
    await page.getByRole('button', { name: 'Run now: Nightly build' }).click();
    await page.getByText('Nightly build started: In progress').waitFor();

    await page.getByRole('link', { name: 'Nightly build' }).click();
    await page.getByRole('button', { name: 'New trigger' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kind').selectOption('webhook');
    await dialog.getByLabel('Signature of requests').selectOption('bearer');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue();
    const fireUrl = await dialog.getByLabel('Address', { exact: true }).inputValue();
    expect(await dialog.getByLabel('Shell command', { exact: true }).inputValue()).toContain(
      fireUrl,
    );
    await dialog.locator('footer').getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain(secret);
    const fired = await fetch(fireUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{"from":"a shell"}',
    });
    expect(fired.status).toBe(202);
    await page.getByText('Joined an active run').first().waitFor();
  });

  it('have pages that pass the accessibility check in both themes, in wide and narrow windows', async () => {
    const { build } = console.harness;
    const routine = await build.routine({ description: 'Read *everything*.' });
    await build.trigger(routine.id, { kind: 'schedule', cronExpression: '0 9 * * 1-5' });
    await build.trigger(routine.id, { kind: 'webhook', signingMode: 'hmac_sha256' });
    const { body: company } = await console.harness.api.get(`/api/companies/${routine.companyId}`);
    const { page } = await console.open(`/${company.issuePrefix}/routines/${routine.id}`);
    await settled(page);
    await page.getByText('Next firings').click();
    await page
      .getByText(/Mon|Tue|Wed|Thu|Fri/)
      .first()
      .waitFor();
    expect([
      ...(await lookAt(console, `/${company.issuePrefix}/routines`)),
      ...(await lookAt(console, `/${company.issuePrefix}/routines/${routine.id}`)),
    ]).toEqual([]);
  });
});
