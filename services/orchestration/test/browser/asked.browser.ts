import { until } from '@switchyard/testing';
import type { Locator, Page, Request } from 'playwright-core';
import { fillRunLog } from '../fill-run-log';
import { settled } from './settled';
import { useConsole } from './use-console';

describe('a page of a large company', () => {
  const console = useConsole();

  async function opened(prefix: string, path: string, shown: (page: Page) => Locator) {
    const { page, requests } = await console.open(`/${prefix}/secrets`);
    await settled(page);
    await page.getByText('Live', { exact: true }).waitFor();
    const before = requests.length;
    const answers: Promise<number>[] = [];
    const pending = new Set<Request>();
    const isRead = (request: Request) => /\/api\/(?!.*\/changes$)/.test(request.url());
    page.on('request', (request) => isRead(request) && pending.add(request));
    page.on('requestfailed', (request) => pending.delete(request));
    page.on('response', (response) => {
      const request = response.request();
      if (!isRead(request)) return;
      const length = response.body().then(
        (body) => body.length,
        () => 0,
      );
      answers.push(length.finally(() => pending.delete(request)));
    });
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/${prefix}${path}`)})`);
    await shown(page).first().waitFor();
    await settled(page);
    await until('all answers', () => pending.size === 0);
    const asked = requests
      .slice(before)
      .filter((each) => each.startsWith('GET /api/'))
      .map((each) => each.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id'));
    const bytes = (await Promise.all(answers)).reduce((total, each) => total + each, 0);
    return { page, asked, bytes };
  }

  async function planted() {
    const { build, asOwner } = console.harness;
    const company = await build.company();
    const issue = await build.issue({ companyId: company.id, title: 'What was asked' });
    await asOwner(`
      INSERT INTO agent (id, company_id, name, name_key, role, adapter_type)
      SELECT gen_random_uuid(), '${company.id}', 'Agent ' || n, 'agent ' || n, 'engineer', 'process' FROM generate_series(1, 300) n`);
    await asOwner(`
      INSERT INTO issue (id, company_id, issue_number, identifier, title, description, status)
      SELECT gen_random_uuid(), '${company.id}', 1000 + n, '${company.issuePrefix}-' || 1000 + n, 'Issue ' || n,
        repeat('word ', 200), (ARRAY['backlog', 'todo', 'in_review', 'blocked', 'done'])[1 + n % 5]
      FROM generate_series(1, 2000) n`);
    await asOwner(`
      INSERT INTO issue_comment (id, company_id, issue_id, body, created_at)
      SELECT gen_random_uuid(), '${company.id}', '${issue.id}', 'Comment ' || n || ' of **many**',
        now() + n * interval '1 millisecond'
      FROM generate_series(1, 1000) n`);
    return { company, issue };
  }

  it('loads a board with one request, and renders only the visible cards', async () => {
    const { company } = await planted();
    const { page, asked, bytes } = await opened(
      company.issuePrefix,
      '/issues?view=board',
      (board) => board.getByRole('article'),
    );
    expect(asked.filter((each) => !/labels/.test(each))).toEqual([
      expect.stringMatching(/\/issues\/board\?.*limit=30$/),
    ]);
    expect(bytes).toBeLessThan(200_000);
    const cards = page.getByRole('article');
    expect(await cards.count()).toBeLessThan(80);
    const list = page.getByRole('list', { name: 'Todo', exact: true });
    await toItsEnd(list);
    await list.locator('[data-index="34"]').waitFor();
    expect(await cards.count()).toBeLessThan(80);
  });

  it('keeps the height of a board column stable when an issue is added', async () => {
    const { company } = await planted();
    const { page } = await opened(company.issuePrefix, '/issues?view=board', (board) =>
      board.getByRole('article'),
    );
    const list = page.getByRole('list', { name: 'Todo', exact: true });
    const height = async () => (await list.boundingBox())?.height ?? 0;
    await until('cards of a third page', async () => {
      await toItsEnd(list);
      return (await height()) > 140 * CARD_HEIGHT;
    });
    const before = await height();
    await page.evaluate(`(() => {
      const list = document.querySelector('ul[aria-label=Todo]');
      window.least = list.offsetHeight;
      const note = () => { window.least = Math.min(window.least, list.offsetHeight); };
      new MutationObserver(note).observe(list, { attributes: true });
    })()`);
    const again: string[] = [];
    page.on('response', (response) => {
      if (/\/issues\?.*cursor=/.test(response.url())) again.push(response.url());
    });
    const urgent = { companyId: company.id, status: 'todo', priority: 'critical' } as const;
    await console.harness.build.issue(urgent);
    await page.getByText('of 2,002').waitFor();
    await until('the later pages once more', () => again.length >= 2);
    expect(await page.evaluate('least')).toBe(before);
  });

  it('loads an issue with three requests, and renders only the last page of its thread', async () => {
    const { company, issue } = await planted();
    const { page, asked } = await opened(
      company.issuePrefix,
      `/issues/${issue.identifier}`,
      (thread) => thread.getByText('Comment 1000 of many'),
    );
    expect(asked).toHaveLength(3);
    expect(await page.getByRole('article').count()).toBeLessThanOrEqual(51);
  });

  it('requests only the last part of a failed run’s log, and renders only the lines in view', async () => {
    const { build, asOwner } = console.harness;
    const run = await build.liveRun();
    await fillRunLog(console.harness, run.id, 20);
    await asOwner(
      `UPDATE heartbeat_run SET status = 'failed', finished_at = now() WHERE id = '${run.id}'`,
    );
    const company = (await console.harness.api.get(`/api/companies/${run.agent.companyId}`)).body;
    const { page, asked, bytes } = await opened(company.issuePrefix, `/runs/${run.id}`, (log) =>
      log.locator('[data-index]'),
    );
    expect(asked).toEqual([
      'GET /api/heartbeat-runs/:id',
      'GET /api/heartbeat-runs/:id/log?offset=20840448&limit=131072',
    ]);
    expect(bytes).toBeLessThan(150_000);
    expect(await page.locator('[data-index]').count()).toBeLessThan(120);
  });

  it('loads the costs of the current month with three requests, one of them for daily totals', async () => {
    const { company } = await planted();
    const { asked } = await opened(company.issuePrefix, '/costs', (costs) =>
      costs.getByText(/^Agent \d+$/),
    );
    expect(asked.map((each) => each.split('/').at(-1)).sort()).toEqual([
      'by-agent',
      'by-day',
      'summary',
    ]);
  });
});

const toItsEnd = (list: Locator) =>
  list.evaluate((element) => {
    const { parentElement } = element as unknown as { parentElement: { scrollTop: number } };
    parentElement.scrollTop = 1e6;
  });

const CARD_HEIGHT = 110;
