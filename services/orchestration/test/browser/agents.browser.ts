import { settled } from './settled';
import { lookAt, useConsole } from './use-console';

describe('agents in the console', () => {
  const console = useConsole();

  it('can be created in two steps, the second of which lists the available adapters', async () => {
    const company = await console.harness.build.company();
    const { page } = await console.open(`/${company.issuePrefix}/agents`);
    await page.getByText('No agents yet').waitFor();
    await page.getByRole('button', { name: 'New agent' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Zoë');
    await dialog.getByLabel('Role').fill('Two Words');
    await dialog.getByRole('button', { name: 'Next' }).click();
    expect(await dialog.locator('input:invalid').count()).toBe(1);
    await dialog.getByLabel('Role').fill('engineer');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('radio', { name: /^Command\s+available/ }).check();
    await dialog.getByRole('button', { name: 'Create agent' }).click();
    await dialog.getByLabel('Command', { exact: true }).fill('/bin/true');
    await dialog.getByLabel(/^Arguments/).fill('--first\n--second');
    await dialog.getByRole('button', { name: 'Create agent' }).click();
    await page.getByRole('heading', { level: 1, name: 'Zoë' }).waitFor();
    const { body } = await console.harness.api.get(`/api/companies/${company.id}/agents`);
    expect(body).toMatchObject([
      { name: 'Zoë', adapterConfig: { command: '/bin/true', args: ['--first', '--second'] } },
    ]);
  });

  it('can be configured with secrets in a form, and rolled back to an earlier configuration', async () => {
    const { build, api } = console.harness;
    const company = await build.company();
    const secret = await build.secret({ companyId: company.id, name: 'MAIL_KEY' });
    const agent = await build.agent({
      companyId: company.id,
      name: 'Ada',
      adapterType: 'process',
      adapterConfig: { command: '/bin/true' },
    });
    const { page } = await console.open(
      `/${company.issuePrefix}/agents/${agent.id}?tab=configuration`,
    );
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).last().fill('MAIL_KEY');
    await page.getByLabel('Value type').selectOption('secret');
    await page.getByLabel('Choose a secret').selectOption('MAIL_KEY');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const read = async () => (await api.get(`/api/agents/${agent.id}`)).body.adapterConfig;
    expect((await read()).env).toEqual({
      MAIL_KEY: { type: 'secret_ref', secretId: secret.id, version: 'latest' },
    });

    await page.getByRole('link', { name: 'Revisions' }).click();
    await page.getByText('Revision 1').click();
    await page.getByRole('button', { name: 'Roll back to this revision' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Roll back to this revision' })
      .click();
    await page.getByText('Revision 3').waitFor();
    expect((await read()).env).toBeUndefined();
  });

  it('can be assigned to issues and appear in the org chart, even in a company with more than 500 agents', async () => {
    const { build, api, asOwner } = console.harness;
    const company = await build.company();
    const oldest = await build.agent({ companyId: company.id, name: 'Zacharias' });
    await asOwner(`
      INSERT INTO agent (id, company_id, name, name_key, role, adapter_type, created_at)
      SELECT gen_random_uuid(), '${company.id}', 'Agent ' || n, 'agent ' || n, 'engineer', 'process', now() + n * interval '1 second'
      FROM generate_series(1, 520) n`);
    const issue = await build.issue({ companyId: company.id });
    const { page } = await console.open(`/${company.issuePrefix}/issues/${issue.identifier}`);
    await settled(page);
    await page.getByRole('button', { name: /^Assignee/ }).click();
    await page.getByRole('combobox', { name: 'Assignee' }).fill('zachar');
    await page.getByRole('option', { name: 'Zacharias' }).click();
    await page.getByRole('button', { name: 'Assignee: Zacharias' }).waitFor();
    await page.goto(`/${company.issuePrefix}/org`);
    await page.getByText('Zacharias', { exact: true }).waitFor({ state: 'attached' });
    expect((await api.get(`/api/issues/${issue.id}`)).body.assigneeAgentId).toBe(oldest.id);
  });

  it('cannot be saved with an invalid setting, which the form marks', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const agent = await build.agent({
      companyId: company.id,
      adapterType: 'http',
      adapterConfig: { url: 'https://example.com' },
    });
    const { page } = await console.open(
      `/${company.issuePrefix}/agents/${agent.id}?tab=configuration`,
    );
    const url = page.getByLabel('URL', { exact: true });
    await url.fill('ftp://example.com');
    await page.getByText('Unsaved changes').waitFor();
    await page.reload();
    await page.getByText('Unsaved changes').waitFor();
    expect(await url.inputValue()).toBe('ftp://example.com');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('must be http or https').first().waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('true');
  });

  it('can be paused and resumed, and show the reason for the pause on their page and in the list', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const agent = await build.agent({ companyId: company.id, name: 'Ada' });
    const { page } = await console.open(`/${company.issuePrefix}/agents/${agent.id}`);
    const list = await console.open(`/${company.issuePrefix}/agents?tab=paused`);
    await list.page.getByText('No agents with this status').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused: by the board.').waitFor();
    await list.page.getByText('by the board').waitFor();
    await list.page.getByRole('button', { name: 'Resume: Ada' }).click();
    await page.getByText('Paused: by the board.').waitFor({ state: 'detached' });
  });

  it('have a page that links to the list of their open issues', async () => {
    const { build } = console.harness;
    const { id: companyId, issuePrefix } = await build.company();
    const agent = await build.agent({ companyId, name: 'Ada' });
    await build.issue({ companyId, assigneeAgentId: agent.id, status: 'backlog', title: 'Hers' });
    await build.issue({ companyId, status: 'backlog', title: 'Of another' });
    const { page } = await console.open(`/${issuePrefix}/agents/${agent.id}`);
    await page.getByRole('link', { name: '1', exact: true }).click();
    await page.getByText('Hers').waitFor();
    await page.getByText('Of another').waitFor({ state: 'detached' });
    await settled(page);
    expect(await page.getByText('Of another').count()).toBe(0);
  });

  it('have an API key that can be created, is shown only once, and can be revoked', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const agent = await build.agent({ companyId: company.id });
    const { page } = await console.open(`/${company.issuePrefix}/agents/${agent.id}?tab=keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key name').fill('laptop');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const key = (await dialog.locator('code').textContent()) ?? '';
    expect(key.length).toBeGreaterThan(20);
    await dialog.locator('footer').getByRole('button', { name: 'Close' }).click();
    await page.getByText('never used').waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API keys').waitFor();
  });

  it('can be selected with the arrow keys in the org chart', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const ada = await build.agent({ companyId: company.id, name: 'Ada' });
    await build.agent({ companyId: company.id, name: 'Bea', reportsTo: ada.id });
    const { page } = await console.open(`/${company.issuePrefix}/org`);
    await settled(page);
    await page.getByRole('link', { name: /Ada/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.locator(':focus', { hasText: 'Bea' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Bea' }).waitFor();
  });

  it('get another manager when their card is dragged onto it and the move is confirmed', async () => {
    const { build, api } = console.harness;
    const company = await build.company();
    const ada = await build.agent({ companyId: company.id, name: 'Ada' });
    const bea = await build.agent({ companyId: company.id, name: 'Bea' });
    const managerOf = async (id: string) => (await api.get(`/api/agents/${id}`)).body.reportsTo;
    const { page } = await console.open(`/${company.issuePrefix}/org`);
    await settled(page);
    const card = (name: string) => page.getByRole('link', { name });
    await card('Bea').dragTo(card('Ada'));
    await page.getByText('Bea will report to Ada.').waitFor();
    expect(await managerOf(bea.id)).toBeNull();
    await page.getByRole('button', { name: 'Change manager' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await managerOf(bea.id)).toBe(ada.id);
    await card('Ada').dragTo(card('Bea'));
    await page.getByRole('button', { name: 'Change manager' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await managerOf(ada.id)).toBeNull();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await card('Bea').dragTo(page.getByRole('region', { name: 'Org chart' }), {
      targetPosition: { x: 5, y: 300 },
    });
    await page.getByText('Bea will report to no other agent.').waitFor();
    await page.getByRole('button', { name: 'Change manager' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await managerOf(bea.id)).toBeNull();
  });

  it('have pages that pass the accessibility check in both themes, in wide and narrow windows', async () => {
    const { build, api } = console.harness;
    const company = await build.company();
    const ada = await build.agent({
      companyId: company.id,
      adapterType: 'process',
      adapterConfig: { command: '/bin/true', env: { MODE: 'test' } },
      budgetMonthlyCents: 5_000,
    });
    await build.agent({ companyId: company.id, reportsTo: ada.id });
    await api.post(`/api/agents/${ada.id}/pause`).expect(200);
    const paths = ['agents', 'org', `agents/${ada.id}`].concat(
      ['configuration', 'revisions', 'keys', 'runs'].map((tab) => `agents/${ada.id}?tab=${tab}`),
    );
    const found = [];
    for (const path of paths)
      found.push(...(await lookAt(console, `/${company.issuePrefix}/${path}`)));
    expect(found).toEqual([]);
  });
});
