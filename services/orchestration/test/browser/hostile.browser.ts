import { until } from '@switchyard/testing';
import type { Page } from 'playwright-core';
import { HOSTILE_TEXTS } from './hostile-texts';
import { settled } from './settled';
import { takePicture, useConsole } from './use-console';

const FORBIDDEN = [
  '#root script, #root style, #root link, #root base, #root meta, #root iframe, #root object, #root embed',
  '#root [srcdoc], #root form[action^="http"], #root img[src^="http"], #root img[src^="//"]',
  '#root a[href^="javascript:" i], #root a[href^="data:" i], #root a[href^="vbscript:" i], #root a[href^="file:" i]',
  '#root [onerror], #root [onload], #root [onfocus], #root [ontoggle], #root [onmouseover], #root [onclick]',
].join(', ');

async function ranOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[
    ...(window.__ran ? ['a script ran'] : []),
    ...[...document.querySelectorAll(${JSON.stringify(FORBIDDEN)})].map((each) => each.outerHTML.slice(0, 200)),
    ...[...document.querySelectorAll('#root a[target=_blank]')]
      .filter((each) => each.origin !== location.origin && !/noopener/.test(each.rel))
      .map((each) => 'an opener: ' + each.outerHTML.slice(0, 200)),
  ]`);
}

const PRINTS = `for (const text of JSON.parse(process.argv[1])) { console.log(text); }`;

describe('hostile texts in the console', () => {
  const console = useConsole();
  let prefix = '';
  let issueId = '';
  let runId = '';

  beforeAll(async () => {
    const { api, build } = console.harness;
    const company = await build.company({ name: HOSTILE_TEXTS[0] as string });
    const companyId = company.id;
    prefix = company.issuePrefix;
    const agent = await build.agent({
      companyId,
      name: '<img src=x onerror=window.__ran=1>',
      adapterType: 'process',
      adapterConfig: {
        command: process.execPath,
        args: ['-e', PRINTS, JSON.stringify(HOSTILE_TEXTS)],
      },
    });
    const issue = await build.issue({ companyId, title: 'All of them', assigneeAgentId: agent.id });
    issueId = issue.identifier;
    for (const text of HOSTILE_TEXTS) {
      await api
        .post(`/api/issues/${issue.id}/comments`)
        .send({ body: `x\n\n${text}` })
        .expect(201);
    }
    const titles = HOSTILE_TEXTS.map((text) => text.replace(/\s+/g, ' ').trim().slice(0, 200));
    for (const title of titles.filter(Boolean)) {
      const body = { title, description: title, status: 'blocked' };
      await api.post(`/api/companies/${companyId}/issues`).send(body);
    }
    await api
      .put(`/api/issues/${issue.id}/documents/plan`)
      .send({ title: HOSTILE_TEXTS[1], format: 'markdown', body: HOSTILE_TEXTS.join('\n\n') });
    for (const name of HOSTILE_TEXTS.slice(0, 10)) {
      await build.project({ companyId, name });
      await build.goal({ companyId, title: name });
    }
    const run = await build.queuedRun(agent.id, { issueId: issue.id });
    runId = run.id;
    await until('the run to end', async () => {
      const { body } = await api.get(`/api/heartbeat-runs/${runId}`);
      return body.finishedAt;
    });
  });

  it('come in at least a hundred variants', () =>
    expect(new Set(HOSTILE_TEXTS).size).toBeGreaterThanOrEqual(100));

  it.each([
    ['the inbox', ''],
    ['the overview', '/overview'],
    ['the issues', '/issues'],
    ['the issues as a board', '/issues?view=board'],
    ['an issue', '/issues/:issue'],
    ['the runs', '/runs'],
    ['a run and its log', '/runs/:run'],
    ['the agents', '/agents'],
    ['the org chart', '/org'],
    ['the projects', '/projects'],
    ['the goals', '/goals'],
    ['the activity', '/activity'],
    ['a search', `/search?q=${encodeURIComponent('<img src=x onerror=window.__ran=1>')}`],
  ])('never run as code in %s', async (name, path) => {
    const address = path.replace(':issue', issueId).replace(':run', runId);
    const { page } = await console.open(`/${prefix}${address}`);
    page.on('dialog', (dialog) => {
      throw new Error(`a dialog: ${dialog.message()}`);
    });
    await settled(page);
    await page.mouse.move(640, 400);
    await takePicture(page, `hostile-${name}`);
    expect(await ranOn(page)).toEqual([]);
    expect(new URL(page.url()).pathname).toBe(`/${prefix}${address}`.split('?')[0]);
  });

  it('never run as code when a browser opens them as uploaded files', async () => {
    const { api, build } = console.harness;
    const issue = await build.issue();
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" onload="window.__ran=1"><script>window.__ran=1</script></svg>';
    for (const [content, name, type] of [
      [svg, 'x.svg', 'image/svg+xml'],
      ['<script>window.__ran=1</script>', 'x.html', 'text/html'],
    ] as const) {
      const { body } = await api
        .post(`/api/companies/${issue.companyId}/issues/${issue.id}/attachments`)
        .attach('file', Buffer.from(content), { filename: name, contentType: type });
      const { page } = await console.open('/start');
      if (!body.contentPath) continue;
      await page.goto(body.contentPath).catch((error: Error) => {
        if (!/Download is starting|ERR_ABORTED/.test(error.message)) throw error;
      });
      expect(await page.evaluate('window.__ran ?? 0')).toBe(0);
    }
  });
});
