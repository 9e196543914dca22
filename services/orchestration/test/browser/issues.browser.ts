import { until } from '@switchyard/testing';
import { settled } from './settled';
import { lookAt, useConsole } from './use-console';

describe('issues in the console', () => {
  const console = useConsole();

  async function planted() {
    const { build } = console.harness;
    const company = await build.company({ name: 'Acme' });
    const companyId = company.id;
    const ada = await build.agent({ companyId, name: 'Ada' });
    const urgent = await build.issue({
      companyId,
      title: 'Renew the certificate',
      status: 'todo',
      priority: 'critical',
      labels: ['security'],
      assigneeAgentId: ada.id,
    });
    const later = await build.issue({
      companyId,
      title: 'Write the yearly report about everything that was done and everything that was not',
      status: 'backlog',
    });
    return { company, ada, urgent, later, path: `/${company.issuePrefix}/issues` };
  }

  it('can be filtered by filters that appear in the URL and can be saved as a view', async () => {
    const { path } = await planted();
    const { page } = await console.open(path);
    await settled(page);
    await page.getByText('2 of 2 open').waitFor();
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('option', { name: 'Backlog' }).click();
    await page.waitForURL('**/issues?status=backlog');
    await page.getByText('1 of 1 open').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('textbox', { name: 'View name' }).fill('Later');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Later', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('2 of 2 open').waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Later', exact: true }).click();
    await page.waitForURL('**/issues?status=backlog');
    await page.getByRole('searchbox', { name: 'Filter by text' }).fill('nothing has this');
    await page.getByText('No issues match the filters').waitFor();
  });

  it('can be changed in the selected row with the keyboard', async () => {
    const { path, urgent } = await planted();
    const { page } = await console.open(path);
    await settled(page);
    await page.getByRole('link', { name: urgent.title }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('p');
    await page.getByRole('dialog').getByRole('option', { name: 'Low' }).waitFor();
    await page.keyboard.type('low');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Priority: Low. Change' }).waitFor();
    await until('the priority to be stored', async () => {
      const { body } = await console.harness.api.get(`/api/issues/${urgent.id}`);
      return body.priority === 'low';
    });
  });

  it('can be moved on the board with mouse or keyboard, but only along allowed transitions', async () => {
    const { path, urgent, later } = await planted();
    const { page } = await console.open(`${path}?view=board`);
    await settled(page);
    const card = (title: string) => page.getByRole('article', { name: new RegExp(title) });
    const column = (name: string) => page.getByRole('list', { name, exact: true });
    await card(later.title).dragTo(column('Todo'));
    await column('Todo').getByText(later.title).waitFor();
    await card(urgent.title).getByRole('link').focus();
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: `Status of ${urgent.identifier}` });
    const refused = dialog.getByRole('option', { name: 'In review' });
    expect(await refused.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByRole('option', { name: 'In progress' }).click();
    await column('In progress').getByText(urgent.title).waitFor();
    await until('the status to be stored', async () => {
      const { body } = await console.harness.api.get(`/api/issues/${urgent.id}`);
      return body.status === 'in_progress';
    });
  });

  it.each([
    ['the board', '?view=board', 's', 'Status'],
    ['the list', '', 'p', 'Priority'],
  ])('stay selected in %s when another issue appears above', async (_title, view, key, field) => {
    const { build } = console.harness;
    const { id: companyId, issuePrefix } = await build.company({ name: 'Acme' });
    const low = { companyId, title: 'Sweep the floor', status: 'todo', priority: 'low' } as const;
    const marked = await build.issue(low);
    const { page } = await console.open(`/${issuePrefix}/issues${view}`);
    await settled(page);
    await page.getByRole('link', { name: low.title }).waitFor();
    await page.keyboard.press('j');
    const above = await build.issue({ ...low, title: 'Put out the fire', priority: 'critical' });
    await page.getByRole('link', { name: above.title }).waitFor();
    await page.keyboard.press(key);
    await page.getByRole('dialog', { name: `${field} of ${marked.identifier}` }).waitFor();
  });

  it('stay selected on the board when another card moves under the pointer', async () => {
    const { build } = console.harness;
    const { id: companyId, issuePrefix } = await build.company({ name: 'Acme' });
    const low = { companyId, title: 'Sweep the floor', status: 'todo', priority: 'low' } as const;
    const marked = await build.issue(low);
    const { page } = await console.open(`/${issuePrefix}/issues?view=board`);
    await settled(page);
    const link = page.getByRole('link', { name: low.title });
    await link.hover();
    await link.focus();
    await build.issue({ ...low, title: 'Put out the fire', priority: 'critical' });
    await page.locator('article:hover', { hasText: 'Put out the fire' }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: `Status of ${marked.identifier}` }).waitFor();
  });

  it('revert to their stored state and show the reason when the service refuses a change', async () => {
    const { path, urgent } = await planted();
    const expects = /ERR_FAILED/;
    const { page } = await console.open('/', { expects });
    await page.route(/\/(?:events|changes)(?:\?|$)/, (route) => route.abort());
    await page.goto(`${path}?view=board&folded=cancelled`);
    await settled(page);
    await page.getByRole('article', { name: new RegExp(urgent.title) }).waitFor();
    await console.harness.api.post(`/api/issues/${urgent.id}/complete`).send({}).expect(200);
    await page.getByRole('link', { name: urgent.title }).focus();
    await page.keyboard.press('s');
    await page.getByRole('dialog').getByRole('option', { name: 'In progress' }).click();
    await page.getByRole('alert').filter({ hasText: 'done' }).waitFor();
    await page.getByRole('list', { name: 'Done', exact: true }).getByText(urgent.title).waitFor();
  });

  it('return to their original column and show the reason when the service is unreachable', async () => {
    const { path, urgent } = await planted();
    const { page } = await console.open(`${path}?view=board`, { expects: /ERR_FAILED/ });
    await settled(page);
    await page.route(`**/api/issues/${urgent.id}/**`, (route) => route.abort());
    await page.getByRole('link', { name: urgent.title }).focus();
    await page.keyboard.press('s');
    await page.getByRole('dialog').getByRole('option', { name: 'In progress' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('list', { name: 'Todo', exact: true }).getByText(urgent.title).waitFor();
  });

  it('can be created with the key c, in a dialog that keeps typed text and names the agent to be woken', async () => {
    const { path, ada } = await planted();
    await console.harness.api
      .patch(`/api/agents/${ada.id}`)
      .send({ wakeOnAssignment: true })
      .expect(200);
    const { page } = await console.open(path);
    await settled(page);
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New issue' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Call the harbour master');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('c');
    const title = dialog.getByRole('textbox', { name: 'Title' });
    expect(await title.inputValue()).toBe('Call the harbour master');
    await dialog.getByRole('button', { name: /^Assignee/ }).click();
    await page.getByRole('option', { name: /^Ada/ }).click();
    await dialog.getByText('Will wake Ada').waitFor();
    await title.focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { name: 'Call the harbour master' }).waitFor();
    await page.keyboard.press('c');
    await dialog.getByText('Will wake no agent').waitFor();
  });

  it('can be found in the palette and on the search page, which highlights the words', async () => {
    const { path, urgent, company } = await planted();
    const { page } = await console.open(path);
    await settled(page);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('certificate');
    await page.getByRole('option', { name: new RegExp(urgent.title) }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/issues/${urgent.identifier}`);
    await page.goto(`/${company.issuePrefix}/search?q=certificate`);
    await settled(page);
    await page.locator('mark').filter({ hasText: 'certificate' }).first().waitFor();
    await page.getByRole('link', { name: 'Comments' }).click();
    await page.getByText('No results for “certificate”').waitFor();
  });

  it('have pages that pass the accessibility check in both themes, in wide and narrow windows', async () => {
    const { path, company } = await planted();
    const search = `/${company.issuePrefix}/search?q=certificate`;
    expect(await lookAt(console, path)).toEqual([]);
    expect(await lookAt(console, `${path}?view=board`)).toEqual([]);
    expect(await lookAt(console, search)).toEqual([]);
  });
});
