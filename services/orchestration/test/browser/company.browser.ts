import { until } from '@switchyard/testing';
import { settled } from './settled';
import { lookAt, useConsole } from './use-console';

describe('a company in the console', () => {
  const console = useConsole();

  it('can have a monthly budget set, which the overview shows', async () => {
    const company = await console.harness.build.company({ name: 'Acme' });
    const { page } = await console.open(`/${company.issuePrefix}/settings`);
    await page.getByLabel('Monthly budget in US dollars').fill('250.50');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('of $250.50').waitFor();
    const { body } = await console.harness.api.get(`/api/companies/${company.id}`).expect(200);
    expect(body.budgetMonthlyCents).toBe(25_050);
  });

  it('can limit its agents to a list of hosts, and remove the limit', async () => {
    const company = await console.harness.build.company();
    const { page } = await console.open(`/${company.issuePrefix}/settings`);
    const stored = async () =>
      (await console.harness.api.get(`/api/companies/${company.id}`).expect(200)).body
        .egressAllowList;
    const save = async () => {
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Apply' }).click();
      return (await saved).status();
    };
    const isLimited = page.getByLabel('Agents may only reach the hosts in the list');
    await isLimited.check();
    await page.getByLabel('Allowed hosts').fill('Example.org\n*.example.net, example.org');
    expect(await save()).toBe(200);
    expect(await stored()).toEqual(['example.org', '*.example.net']);
    await page.getByLabel('Allowed hosts').fill('https://example.org');
    expect(await save()).toBe(400);
    expect(await stored()).toEqual(['example.org', '*.example.net']);
    await isLimited.uncheck();
    expect(await save()).toBe(200);
    expect(await stored()).toBeNull();
  });

  it('can be resumed from a notice that every page shows while the company is paused', async () => {
    const company = await console.harness.build.company();
    const { page } = await console.open(`/${company.issuePrefix}/settings/danger`);
    const isChanged = () => page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    const paused = isChanged();
    await page.getByRole('button', { name: 'Pause company' }).click();
    await paused;
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    const notice = page.getByRole('region', { name: 'Paused' });
    const resumed = isChanged();
    await notice.getByRole('button', { name: 'Resume company' }).click();
    await notice.waitFor({ state: 'detached' });
    await resumed;
    const { body } = await console.harness.api.get(`/api/companies/${company.id}`).expect(200);
    expect(body.status).toBe('active');
  });

  it('can be viewed but not changed after it has been archived', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    await build.goal({ companyId: company.id, title: 'An old goal' });
    await api.post(`/api/companies/${company.id}/archive`).expect(200);
    const { page } = await console.open(`/${company.issuePrefix}/goals`);
    await page.getByText('An old goal').waitFor();
    await page.getByRole('region', { name: 'Archived' }).waitFor();
    expect(await page.getByRole('button', { name: /^New/ }).count()).toBe(0);
    expect(await lookAt(console, `/${company.issuePrefix}`)).toEqual([]);
  });

  it('can be deleted by its owner after its name is typed', async () => {
    const { api, build, db } = console.harness;
    const company = await build.company();
    const other = await build.company();
    const danger = `/${company.issuePrefix}/settings/danger`;
    const active = await console.open(danger);
    await active.page.getByText('Archive the company first').waitFor();
    await api.post(`/api/companies/${company.id}/archive`).expect(200);
    expect(await lookAt(console, danger)).toEqual([]);
    const { page } = await console.open(danger);
    await page.getByRole('button', { name: 'Delete company' }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Delete company' });
    await dialog.getByLabel(/to confirm/).fill('another name');
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel(/to confirm/).fill(company.name);
    await submit.click();
    await page.waitForURL(`**/${other.issuePrefix}**`);
    await api.get(`/api/companies/${company.id}`).expect(404);
    await until('the rows to be erased', async () => {
      return (await db.company.count({ where: { id: company.id } })) === 0;
    });
  });

  it('can have a secret created, replaced and deleted, without its value being shown', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    const { page } = await console.open(`/${company.issuePrefix}/secrets`);
    await page.getByRole('button', { name: 'New secret' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('PROVIDER_KEY');
    await dialog.getByLabel('Value').fill('first value');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('button', { name: /PROVIDER_KEY/ });
    await row.click();
    await dialog.getByLabel(/New value/).fill('second value');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.filter({ hasText: 'Version 2' }).waitFor();
    expect(await page.content()).not.toContain('second value');
    await row.click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete PROVIDER_KEY?' }).waitFor();
    const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await deleted;
    const { body } = await api.get(`/api/companies/${company.id}/secrets`).expect(200);
    expect(body).toEqual([]);
  });

  it('can have a goal created, and then a project that is linked to the goal', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    const { page } = await console.open(`/${company.issuePrefix}/goals`);
    await page.getByRole('button', { name: 'New goal' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Guests book in a minute');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Guests book in a minute' }).waitFor();
    const { body: goals } = await api.get(`/api/companies/${company.id}/goals`).expect(200);
    expect(goals).toMatchObject([{ level: 'company', status: 'planned' }]);

    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('button', { name: 'New project' }).first().click();
    await dialog.getByLabel('Name').fill('Booking page');
    await dialog.getByLabel('Guests book in a minute').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Booking page' }).waitFor();
    await page.getByText('Guests book in a minute').waitFor();
    const { body } = await api.get(`/api/companies/${company.id}/projects`).expect(200);
    expect(body).toMatchObject([{ name: 'Booking page', goalIds: [expect.any(String)] }]);
  });

  it('can have a workspace created, tested and deleted, and shows why an input was refused', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    const project = await build.project({ companyId: company.id });
    const { page } = await console.open(`/${company.issuePrefix}/projects/${project.id}`, {
      expects: /status of (400|422)/,
    });
    await page.getByRole('button', { name: 'New workspace' }).first().click();
    const dialog = page.getByRole('dialog');
    const repository = dialog.getByLabel('Repository', { exact: true });
    await repository.fill('nonsense');
    for (const _ of [1, 2]) {
      const refused = page.waitForResponse((answer) => answer.request().method() === 'POST');
      await dialog.getByRole('button', { name: 'Create' }).click();
      expect((await refused).status()).toBe(400);
      await dialog.getByRole('alert').waitFor();
    }
    expect(await dialog.getByRole('alert').count()).toBe(1);
    expect(await repository.getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await dialog.getByText('Discard your input?').waitFor();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await repository.inputValue()).toBe('nonsense');
    await dialog.getByLabel('Folder on the runner').check();
    await dialog.getByLabel('Folder', { exact: true }).fill('/srv/site');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('button', { name: '/srv/site' });
    await row.click();
    const { body: made } = await api.get(`/api/projects/${project.id}/workspaces`).expect(200);
    expect(made).toMatchObject([{ cwd: '/srv/site', repoUrl: null }]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Test workspace site' }).click();
    await page.getByText('hire one, then test again').waitFor();
    await row.click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The repository or folder itself remains.').waitFor();
    const removed = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await removed;
    await row.waitFor({ state: 'detached' });
  });

  it('shows an earlier error in a dialog that opens later, and keeps the dialog open when the error is dismissed', async () => {
    const company = await console.harness.build.company();
    const { page } = await console.open(`/${company.issuePrefix}/settings`, {
      expects: /ERR_FAILED/,
    });
    await settled(page);
    await page.route('**/api/companies/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    const save = page.getByRole('button', { name: 'Save' }).first();
    await page.getByLabel('Monthly budget in US dollars').fill('1');
    for (const _ of [1, 2]) {
      const failed = page.waitForEvent('requestfailed');
      await save.click();
      await failed;
    }
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New issue' });
    const message = dialog.getByRole('alert');
    await message.getByRole('button', { name: 'Close' }).click();
    await message.waitFor({ state: 'detached' });
    await dialog.getByRole('textbox', { name: 'Title' }).waitFor();
  });

  it('opens a list of keyboard shortcuts, and restores the previous focus when the list closes', async () => {
    const company = await console.harness.build.company();
    const { page } = await console.open(`/${company.issuePrefix}/projects`);
    await settled(page);
    const search = page.getByRole('button', { name: /^Search/ });
    await search.focus();
    await page.keyboard.press('Shift+?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByText('Show all keyboard shortcuts').waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Search' }).waitFor();
  });
});
