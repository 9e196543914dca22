import type { Page } from 'playwright-core';
import { settled } from './settled';
import { lookAt, useConsole } from './use-console';

const BUSY = {
  command: process.execPath,
  args: ['-e', 'console.log("comparing rates"); setInterval(() => {}, 1000)'],
};

const composer = (page: Page) => page.getByRole('textbox', { name: 'Comment' });

describe('the page of an issue', () => {
  const console = useConsole();

  async function planted(adapterConfig: Record<string, unknown> = BUSY) {
    const { build } = console.harness;
    const company = await build.company({ name: 'Acme' });
    const companyId = company.id;
    const ada = await build.agent({
      companyId,
      name: 'Ada Lovelace',
      adapterType: 'process',
      adapterConfig,
    });
    const issue = await build.issue({
      companyId,
      title: 'Compare the rates',
      description: '## Why\n\n- [x] asked\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`code`',
      status: 'todo',
      assigneeAgentId: ada.id,
    });
    const path = `/${company.issuePrefix}/issues/${issue.identifier}`;
    return { company, ada, issue, path };
  }

  it('completes the name in a mention, shows the woken agent, and can stop the agent’s run', async () => {
    const { path } = await planted();
    const { page } = await console.open(path);
    await settled(page);
    await composer(page).fill('Please begin, ');
    await composer(page).pressSequentially('@love');
    await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
    await page.keyboard.press('Enter');
    expect(await composer(page).inputValue()).toBe('Please begin, @Ada Lovelace ');
    await page.getByText('will wake Ada Lovelace').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    const comment = page.getByRole('article', { name: 'Comment by Local board' });
    await comment.getByText('woke Ada Lovelace').waitFor();
    await comment.getByRole('link', { name: '@Ada Lovelace' }).waitFor();
    expect(await composer(page).inputValue()).toBe('');
    await page.getByText('comparing rates').first().waitFor();
    await page.getByRole('button', { name: 'Message for the next run' }).click();
    expect(await composer(page).inputValue()).toBe('@Ada Lovelace ');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Ada Lovelace: Cancelled').waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  });

  it('keeps typed text across a reload', async () => {
    const { path } = await planted();
    const { page } = await console.open(path);
    await settled(page);
    await composer(page).fill('Half a thought');
    await page.getByText('will wake Ada Lovelace').waitFor();
    await page.getByRole('button', { name: 'Do not wake' }).click();
    await page.getByText('Will wake no agent').waitFor();
    await page.getByRole('button', { name: 'Wake Ada Lovelace' }).click();
    await page.getByText('will wake Ada Lovelace').waitFor();
    await page.reload();
    await settled(page);
    expect(await composer(page).inputValue()).toBe('Half a thought');
  });

  it('opens by id or by lower-case identifier, and then has the upper-case identifier in its URL', async () => {
    const { company, issue } = await planted();
    for (const named of [issue.id, issue.identifier.toLowerCase()]) {
      const { page } = await console.open(
        `/${company.issuePrefix.toLowerCase()}/issues/${named}?document=none`,
      );
      await page.getByRole('heading', { level: 1, name: issue.identifier }).waitFor();
      const { pathname, search } = new URL(page.url());
      expect(pathname).toBe(`/${company.issuePrefix}/issues/${issue.identifier}`);
      expect(search).toBe('?document=none');
    }
  });

  it('edits title and properties in place, and completes and reopens the issue', async () => {
    const { path, issue } = await planted();
    const { api } = console.harness;
    const { page } = await console.open(path);
    await settled(page);
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Compare all rates');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Compare all rates' }).waitFor();
    await page.getByRole('button', { name: /^Priority/ }).click();
    await page.getByRole('option', { name: 'Critical' }).click();
    await page.getByText('Local board changed: priority').waitFor();
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('Local board changed the status from Todo to Done').waitFor();
    const { body } = await api.get(`/api/issues/${issue.id}`);
    expect(body).toMatchObject({
      title: 'Compare all rates',
      priority: 'critical',
      status: 'done',
    });
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Complete' }).waitFor();
  });

  it('shows the revisions of a document and the differences between them', async () => {
    const { path, issue } = await planted();
    const { api } = console.harness;
    const put = (body: string, baseRevisionId: string | null) =>
      api
        .put(`/api/issues/${issue.id}/documents/plan`)
        .send({ title: 'Plan', format: 'markdown', body, baseRevisionId });
    const first = await put('one\n\ntwo', null);
    await put('one\n\nthree', first.body.latestRevisionId);
    const { page } = await console.open(path);
    await settled(page);
    await page.getByRole('link', { name: /^Plan/ }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Plan' });
    await dialog.getByText('three').waitFor();
    await dialog.getByRole('button', { name: 'Compare with revision 1' }).click();
    await dialog.getByRole('listitem').filter({ hasText: 'two' }).waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('shows a new comment by another person immediately', async () => {
    const { path, issue } = await planted();
    const { page } = await console.open(path);
    await settled(page);
    await page.getByText('Live', { exact: true }).waitFor();
    await console.harness.api
      .post(`/api/issues/${issue.id}/comments`)
      .send({ body: 'From elsewhere' });
    await page.getByText('From elsewhere').waitFor();
  });

  it('passes the accessibility check in both themes, in wide and narrow windows', async () => {
    const { path, issue } = await planted();
    const { api } = console.harness;
    await api
      .post(`/api/issues/${issue.id}/comments`)
      .send({ body: `Long: https://example.com/${'x'.repeat(300)}` });
    expect(await lookAt(console, path)).toEqual([]);
  });
});

describe('the page of an issue for a viewer', () => {
  const console = useConsole({ mode: 'authenticated' });

  it('offers no comment field and no actions', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const issue = await build.issue({ companyId: company.id });
    const viewer = await console.member(company.id, 'viewer');
    const { page } = await console.open(`/${company.issuePrefix}/issues/${issue.identifier}`, {
      as: viewer,
    });
    await settled(page);
    await page.getByRole('heading', { name: issue.title }).waitFor();
    await page.getByText(/created the issue/).waitFor();
    expect(await composer(page).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Complete' }).count()).toBe(0);
  });
});
