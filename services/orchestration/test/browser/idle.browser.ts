import { settled } from './settled';
import { useConsole } from './use-console';

describe('an idle page', () => {
  const console = useConsole();

  it('sends no request for an hour after it has opened its event stream', async () => {
    const company = await console.harness.build.company();
    const { page, requests } = await console.open(`/${company.issuePrefix}`);
    await settled(page);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.clock.install();
    const before = requests.length;
    await page.clock.runFor('01:00:00');
    expect(requests.slice(before)).toEqual([]);
    const streams = requests.filter((each) => /\/changes\b/.test(each));
    expect(streams).toHaveLength(1);
  });

  it('shares its event stream with the other tabs of the browser', async () => {
    const company = await console.harness.build.company();
    const { page, context } = await console.open(`/${company.issuePrefix}`);
    await page.getByText('Live', { exact: true }).waitFor();
    const other = await context.newPage();
    const asked: string[] = [];
    other.on('request', (request) => asked.push(request.url()));
    await other.goto(`/${company.issuePrefix}/overview`);
    await other.getByText('Live', { exact: true }).waitFor();
    expect(asked.filter((url) => /\/changes\b/.test(url))).toEqual([]);
  });

  it('opens one event stream per tab in browsers without the Web Locks API', async () => {
    const { build, api } = console.harness;
    const company = await build.company();
    const issue = await build.issue({ companyId: company.id, status: 'todo' });
    const { page: first, context } = await console.open('/account');
    await context.addInitScript('delete Navigator.prototype.locks');
    const tabs = [first, await context.newPage()];
    const streams: string[] = [];
    context.on('request', (request) => {
      if (/\/changes\b/.test(request.url())) streams.push(request.url());
    });
    for (const tab of tabs) {
      await tab.goto(`/${company.issuePrefix}/issues/${issue.identifier}`);
      await tab.getByText('Live', { exact: true }).waitFor();
    }
    expect(await first.evaluate("'locks' in navigator")).toBe(false);
    expect(streams).toHaveLength(2);
    await api.patch(`/api/issues/${issue.id}`).send({ status: 'backlog' }).expect(200);
    for (const tab of tabs) {
      await tab.locator('main').getByRole('button', { name: 'Status: Backlog' }).waitFor();
    }
  });
});
