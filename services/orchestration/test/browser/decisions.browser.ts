import { until } from '@switchyard/testing';
import { ASK_AND_FINISH } from '../agent-programs';
import { settled } from './settled';
import { useConsole } from './use-console';

describe('the inbox', () => {
  const console = useConsole();

  const ask = (companyId: string, title: string) => {
    const options = [
      { key: 'berlin', label: 'Berlin' },
      { key: 'vienna', label: 'Vienna' },
    ];
    const payload = { title, body: 'Berlin has **412** people.', options, recommended: 'vienna' };
    const body = { type: 'board_question', payload };
    return console.harness.api.post(`/api/companies/${companyId}/approvals`).send(body).expect(201);
  };

  it('accepts an answer by keyboard, even after the dialog was closed with Escape', async () => {
    const { api, build } = console.harness;
    const company = await build.company({ name: 'Acme' });
    const { body: question } = await ask(company.id, 'Which region opens first?');
    const { page } = await console.open(`/${company.issuePrefix}`);
    await page.getByRole('listitem').filter({ hasText: 'Which region opens first?' }).waitFor();
    await page.getByText('Berlin has 412 people.').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Answer' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await dialog.getByLabel(/Note/).fill('Vienna needs no new provider');
    const stored = page.waitForResponse((answer) => answer.url().endsWith('/answer'));
    await dialog.getByRole('button', { name: 'Vienna' }).click();
    await page.getByText('Nothing needs you').waitFor();
    await stored;
    const { body } = await api.get(`/api/approvals/${question.id}`).expect(200);
    expect(body.decision).toMatchObject({
      option: 'vienna',
      note: 'Vienna needs no new provider',
    });
  });

  it('contains mentions of the board, and wakes the mentioning agent after a reply', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    const mira = await build.agent({
      companyId: company.id,
      name: 'Mira',
      adapterType: 'process',
      adapterConfig: ASK_AND_FINISH,
    });
    const mine = { companyId: company.id, status: 'todo', assigneeAgentId: mira.id } as const;
    const issue = await build.issue({ ...mine, title: 'Open a region' });
    await build.queuedRun(mira.id, { issueId: issue.id });
    const { page } = await console.open(`/${company.issuePrefix}`);
    const row = page.getByRole('listitem').filter({ hasText: 'Berlin or Vienna?' });
    await row.getByRole('button', { name: 'Answer', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Answer' });
    expect(await dialog.getByRole('checkbox', { name: 'Wake Mira' }).isChecked()).toBe(true);
    await dialog.getByLabel('Text').fill('Vienna');
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('Nothing needs you').waitFor();
    await until('the end of the issue', async () => {
      const { body } = await api.get(`/api/issues/${issue.id}`);
      return body.status === 'done';
    });
    await page.goto(`/${company.issuePrefix}/issues/${issue.identifier}`);
    await page.getByText('Opened: Vienna').waitFor();
    await page.getByText('woke Mira').waitFor();
    const { body: items } = await api.get(`/api/companies/${company.id}/inbox`).expect(200);
    expect(items).toEqual([]);
  });

  it('snoozes the selected item with a key, and then selects the next item', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    await ask(company.id, 'First question');
    await ask(company.id, 'Second question');
    const { page } = await console.open(`/${company.issuePrefix}`);
    const first = page.getByRole('listitem').filter({ hasText: 'First question' });
    await first.waitFor();
    await page.keyboard.press('j');
    const stored = page.waitForResponse((answer) => answer.url().endsWith('/snooze'));
    await page.keyboard.press('e');
    await first.waitFor({ state: 'detached' });
    await stored;
    const { body: items } = await api.get(`/api/companies/${company.id}/inbox`).expect(200);
    expect(items).toMatchObject([{ title: 'Second question' }]);
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByText('Second question').waitFor();
  });

  it('contains hire requests, which can be approved on their own page with a budget and a note', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    const tom = await build.agent({ companyId: company.id, name: 'Tom' });
    const { authorization } = await build.liveRun(tom);
    const adapterConfig = { command: '/usr/bin/python3', args: ['/srv/worker.py', '--all'] };
    await api
      .post(`/api/companies/${company.id}/agent-hires`)
      .set('Authorization', authorization)
      .send({
        name: 'Ada',
        role: 'engineer',
        title: 'Guest support',
        reportsTo: tom.id,
        proposedAdapter: { adapterType: 'process', adapterConfig },
      })
      .expect(201);
    const { page } = await console.open(`/${company.issuePrefix}`);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve' });
    await dialog.getByText('/usr/bin/python3 /srv/worker.py --all').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`/${company.issuePrefix}/approvals`);
    await page.getByRole('button', { name: /^Hire Ada/ }).click();
    await page.getByRole('heading', { name: 'Hire Ada as Guest support' }).waitFor();
    await page.getByText('/usr/bin/python3 /srv/worker.py --all').waitFor();
    await page
      .getByText(/^Tom proposes to hire Ada .* report to Tom, .* no limit to spend/)
      .waitFor();
    await page.getByLabel(/^Monthly budget/).fill('120');
    await page.getByLabel(/Note/).fill('Until the end of the year');
    const stored = page.waitForResponse((answer) => answer.url().endsWith('/approve'));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Until the end of the year').waitFor();
    await page.getByText('Approved').first().waitFor();
    await stored;
    const { body: agents } = await api.get(`/api/companies/${company.id}/agents`).expect(200);
    expect(agents).toContainEqual(
      expect.objectContaining({ name: 'Ada', status: 'idle', budgetMonthlyCents: 12_000 }),
    );
  });

  it('shows a list of current runs when the inbox is empty', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const agent = await build.agent({ companyId: company.id, name: 'Bruno' });
    await build.liveRun(agent);
    const { page } = await console.open(`/${company.issuePrefix}`);
    await settled(page);
    await page.getByText('Nothing needs you').waitFor();
    await page.getByRole('heading', { name: 'Running now' }).waitFor();
    await page.getByRole('link', { name: /^Run of Bruno/ }).click();
    await page.waitForURL('**/runs/**');
  });
});
