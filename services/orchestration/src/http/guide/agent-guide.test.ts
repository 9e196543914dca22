import { newId } from '@switchyard/db';
import type { z } from 'zod';
import { useHarness } from '../../../test/harness';
import type { OrchestrationRoute } from '../../route';
import { allRoutes } from '../routes';
import { agentGuide, isForAgents } from './agent-guide';
import { BODIES_OF_AGENTS, CALLS_OF_PAGES, ESSENTIALS } from './guide-texts';

const MAX_BYTES = 14_500;

const CALL = /^- `(GET|POST|PUT|PATCH|DELETE) (\S+)` /gm;
const EXAMPLE = /```\n(\w+) (\S+)\n(.*)\n```/g;

describe('the guide for agents', () => {
  const harness = useHarness();
  const nameOf = ({ method, path }: Pick<OrchestrationRoute, 'method' | 'path'>) =>
    `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
  const namesIn = (markdown: string) =>
    [...markdown.matchAll(CALL)].map(([, method, path]) => `${method} ${path}`);

  it('lists exactly the calls that an agent may make, except calls that only the console uses', () => {
    const routes = allRoutes;
    const named = namesIn(agentGuide(routes).markdown);
    const mayMake = routes.filter(isForAgents);
    const isOfPages = ({ operation }: OrchestrationRoute) => CALLS_OF_PAGES.includes(operation);
    expect(mayMake.filter(isOfPages)).toHaveLength(CALLS_OF_PAGES.length);
    expect(named.sort()).toEqual(
      mayMake
        .filter((one) => !isOfPages(one))
        .map(nameOf)
        .sort(),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named).toContain('POST /api/issues/{issueId}/checkout');
    expect(named).not.toContain('POST /api/companies/{companyId}/secrets');
    expect(named).not.toContain('POST /api/auth/login');
    const isOpened = (route: OrchestrationRoute) =>
      route.operation === 'createSecret' ? { ...route, access: 'agent-or-board' as const } : route;
    const opened = namesIn(agentGuide(routes.map(isOpened)).markdown);
    expect(opened).toContain('POST /api/companies/{companyId}/secrets');
  });

  it('lists the required fields of each body', () => {
    const { markdown } = agentGuide(allRoutes);
    expect(markdown).toMatch(/issueId}\/checkout` .*Body: `agentId`, `expectedStatuses`\./);
    expect(markdown).toMatch(/PATCH \/api\/agents\/{agentId}` .*Your own only\./);
    expect(markdown).toMatch(/attachments` .*Body: one file, multipart/);
    expect(markdown).not.toContain('undefined');
  });

  it('has at most 14,500 bytes', () => {
    const { markdown } = agentGuide(allRoutes);
    expect(Buffer.byteLength(markdown)).toBeLessThan(MAX_BYTES);
    expect(ESSENTIALS).toHaveLength(10);
  });

  it('begins with an introduction of at most twenty lines', () => {
    const [first = ''] = agentGuide(allRoutes).markdown.split('\n## Rules');
    expect(first.trim().split('\n').length).toBeLessThanOrEqual(20);
    for (const name of ['SERVICE_API_KEY', 'SERVICE_WAKE_SOURCE', 'issueStatus', 'near']) {
      expect(first).toContain(`${name}`);
    }
  });

  it('lists no field that agents may not send', () => {
    const { markdown } = agentGuide(allRoutes);
    for (const route of allRoutes.filter(isForAgents)) {
      const allowed: readonly string[] | undefined = BODIES_OF_AGENTS[route.operation]?.allowed;
      if (route.body && route.errors?.includes('board_only')) expect(allowed).toBeDefined();
      if (!allowed) continue;
      const fields: string[] = Object.keys((route.body as z.ZodObject).shape);
      expect(allowed.filter((name) => !fields.includes(name))).toEqual([]);
      const line = markdown.split('\n').find((text) => text.startsWith(`- \`${nameOf(route)}\``));
      const named = /Body(?:, any of)?: (.*?)\.(?: |$)/.exec(line ?? '')?.[1] ?? '';
      const refused = fields.filter((name) => !allowed.includes(name));
      const words: string[] = named.match(/\w+/g) ?? [];
      expect({ line, refused: refused.filter((name) => words.includes(name)) }).toEqual({
        line,
        refused: [],
      });
    }
  });

  it('contains only examples that the routes accept', () => {
    const routes = allRoutes;
    const { markdown } = agentGuide(routes);
    const examples = [...markdown.matchAll(EXAMPLE)];
    expect(examples.length).toBeGreaterThan(4);
    for (const [, method, path, text] of examples) {
      const pattern = (path as string).replace(/\$SERVICE_\w+_ID/g, ':id');
      const route = routes.find(
        (one) =>
          one.method === method &&
          new RegExp(`^${one.path.replace(/:\w+/g, '(?::id|[a-z]+)')}$`).test(pattern),
      );
      expect({ path, isForAgents: route && isForAgents(route) }).toEqual({
        path,
        isForAgents: true,
      });
      const body = JSON.parse((text as string).replace(/\$SERVICE_\w+_ID/g, () => newId()));
      const problems = route?.body?.safeParse(body).error?.issues ?? [];
      expect({ path, problems }).toEqual({ path, problems: [] });
      if (!route?.body) expect(body).toEqual({});
    }
  });

  it('contains its version, and has an ETag for conditional requests', async () => {
    const first = await harness.api.get('/api/agent-guide').expect(200);
    expect(first.headers['content-type']).toBe('text/markdown; charset=utf-8');
    const version = first.headers['x-guide-version'] as string;
    expect(version).toMatch(/^5-[0-9a-f]{8}$/);
    expect(first.text.split('\n').slice(0, 3)).toContain(`Version: ${version}`);
    const etag = first.headers.etag as string;
    const second = await harness.api.get('/api/agent-guide').set('If-None-Match', etag).expect(304);
    expect(second.text).toBe('');
    await harness.api.get('/api/agent-guide').set('If-None-Match', '"other"').expect(200);
    const routes = allRoutes;
    const [one, ...rest] = routes.filter(isForAgents) as [OrchestrationRoute];
    const changed = agentGuide([{ ...one, summary: 'Something else' }, ...rest]).version;
    expect(changed).not.toBe(agentGuide([one, ...rest]).version);
  });

  it('contains examples with which an agent can finish an issue', async () => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId, status: 'todo' });
    const { text } = await harness.api.get('/api/agent-guide');
    const ids: Record<string, string> = {
      $SERVICE_ISSUE_ID: issue.id,
      $SERVICE_AGENT_ID: run.agent.id,
      $SERVICE_COMPANY_ID: run.agent.companyId,
    };
    const filled = (part: string) => part.replace(/\$SERVICE_\w+_ID/g, (name) => ids[name] ?? name);
    for (const [, method, path, body] of text.matchAll(EXAMPLE)) {
      const verb = (method as string).toLowerCase() as 'post' | 'put' | 'patch';
      const answer = await harness.api[verb](filled(path as string))
        .set('Authorization', run.authorization)
        .set('Content-Type', 'application/json')
        .send(filled(body as string));
      expect({ path, status: answer.status < 300, body: answer.body }).toMatchObject({
        status: true,
      });
    }
    await harness.api
      .patch(`/api/issues/${issue.id}`)
      .set('Authorization', run.authorization)
      .send({ status: 'done' })
      .expect(200);
  });
});
