import type { CompanyFile } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { parseFile } from './file-format';

describe('GET /api/companies/:companyId/export', () => {
  const harness = useHarness();

  const exported = async (companyId: string, query = '') => {
    const response = await fetch(`${harness.url}/api/companies/${companyId}/export${query}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as CompanyFile);
  };
  const contentOf = (files: CompanyFile[], path: string) =>
    files.find((file) => file.path === path)?.content;

  it('writes one file per object, with references by file name', async () => {
    const { api, build } = harness;
    const { body: demo } = await api.post('/api/demo-companies').expect(201);
    const files = await exported(demo.id, '?include=issues');
    expect(files.map(({ path }) => path)).toEqual([
      'company.md',
      'agents/mira.md',
      'agents/ada.md',
      'goals/people-book-a-table-online.md',
      'projects/booking-page.md',
      'issues/1.md',
      'issues/2.md',
      'issues/3.md',
    ]);
    expect(contentOf(files, 'issues/1.md')).toBe(
      [
        '---',
        'title: Choose the region that opens first',
        'status: todo',
        'priority: high',
        'labels: []',
        'assignee: mira',
        'project: booking-page',
        'goal: people-book-a-table-online',
        'parent: null',
        'blockedBy: []',
        'billingCode: null',
        'dueDate: null',
        '---',
        '',
        'Compare Berlin and Vienna. Ask the board before you decide.',
        '',
      ].join('\n'),
    );
    const without = await exported(demo.id);
    expect(without).toEqual(files.filter(({ path }) => !path.startsWith('issues/')));
    const other = await build.company();
    expect((await exported(other.id)).map(({ path }) => path)).toEqual(['company.md']);
  });

  it('contains names of secrets, but neither values, literal variables nor ids', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const secret = await build.secret({ companyId, name: 'API_KEY', value: 'canary-of-a-secret' });
    const env = {
      KEY: { type: 'secret_ref', secretId: secret.id, version: 1 },
      PLAIN: 'canary-of-a-variable',
    };
    const manager = await build.agent({ companyId, name: 'Mira Q.' });
    const agent = await build.agent({
      companyId,
      name: 'Ada',
      reportsTo: manager.id,
      adapterType: 'process',
      adapterConfig: { command: 'node', args: ['x.mjs'], env },
    });
    const project = await build.project({ companyId, leadAgentId: agent.id });
    const issue = await build.issue({ companyId, projectId: project.id });
    const files = await exported(companyId, '?include=issues');
    expect(parseFile(contentOf(files, 'agents/ada.md') ?? '').fields).toMatchObject({
      reportsTo: 'mira-q',
      adapterConfig: {
        command: 'node',
        args: ['x.mjs'],
        env: { KEY: { secret: 'API_KEY', version: 1 } },
      },
    });
    const all = JSON.stringify(files);
    expect(all).not.toContain('canary');
    for (const { id } of [secret, manager, agent, project, issue]) expect(all).not.toContain(id);
  });

  it('adds documents and comments, and leaves terminated agents out', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const left = await build.agent({ companyId, name: 'Left' });
    const goal = await build.goal({ companyId, title: 'Same', ownerAgentId: left.id });
    await build.goal({ companyId, title: 'Same', parentId: goal.id, description: '' });
    await api.post(`/api/agents/${left.id}/terminate`).expect(200);
    const issue = await build.issue({ companyId, labels: ['b', 'A'], description: 'One\n' });
    await api.put(`/api/issues/${issue.id}/documents/plan`).send({ body: '# Plan' }).expect(201);
    await api.post(`/api/issues/${issue.id}/comments`).send({ body: 'Hello' }).expect(201);
    const files = await exported(companyId, '?include=issues');
    expect(files.map(({ path }) => path)).toEqual([
      'company.md',
      'labels/b.md',
      'labels/a.md',
      'goals/same.md',
      'goals/same-2.md',
      'issues/1.md',
      'issues/1/documents/plan.md',
      'issues/1/comments/1.md',
    ]);
    expect(parseFile(contentOf(files, 'goals/same.md') ?? '').fields.owner).toBeNull();
    expect(parseFile(contentOf(files, 'goals/same-2.md') ?? '')).toMatchObject({
      fields: { parent: 'same' },
      text: '',
    });
    expect(parseFile(contentOf(files, 'issues/1.md') ?? '')).toMatchObject({
      fields: { labels: ['A', 'b'] },
      text: 'One\n',
    });
    expect(contentOf(files, 'issues/1/documents/plan.md')).toBe(
      '---\ntitle: plan\nformat: markdown\n---\n\n# Plan\n',
    );
    expect(contentOf(files, 'issues/1/comments/1.md')).toBe('---\nauthor: null\n---\n\nHello\n');
  });

  it('continues over several pages, in the order of creation', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    for (let n = 1; n <= 60; n++) await build.goal({ companyId, title: 'Goal' });
    const paths = (await exported(companyId)).map(({ path }) => path);
    expect(paths).toHaveLength(61);
    expect(paths.at(-1)).toBe('goals/goal-60.md');
  });
});
