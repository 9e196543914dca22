import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { newId } from '@switchyard/db';
import { z } from 'zod';
import { allRoutes } from '../src/http/routes';
import type { OrchestrationRoute } from '../src/route';
import { unique } from './builders';
import { type Harness, useHarness } from './harness';
import { SECURITY_TABLE } from './security-table';
import { buildSide, fill, type Ids } from './world';

const nameOf = ({ method, path }: Pick<OrchestrationRoute, 'method' | 'path'>) =>
  `${method} ${path}`;

const LISTS = allRoutes.filter(
  (route) =>
    route.method === 'GET' &&
    route.response instanceof z.ZodArray &&
    'cursor' in ((route.query as z.ZodObject | undefined)?.shape ?? {}) &&
    !SECURITY_TABLE[nameOf(route)]?.empty,
);

type Maker = (harness: Harness, ids: Ids, row: number) => PromiseLike<unknown>;

const MAKERS: Record<string, Maker> = {
  'GET /api/agents/:agentId/config-revisions': ({ api }, { agentId }) =>
    api.patch(`/api/agents/${agentId}`).send({ title: unique('Title') }),
  'GET /api/approvals/:approvalId/issues': async ({ build, db }, ids) => {
    const { companyId, approvalId = '' } = ids;
    const { id: issueId } = await build.issue({ companyId });
    await db.approvalIssue.create({ data: { companyId, approvalId, issueId } });
  },
  'GET /api/companies/:companyId/labels': ({ build }, { companyId }) =>
    build.issue({ companyId, labels: [unique('label')] }),
  'GET /api/issues/:issueId/documents': ({ api }, { issueId }, row) =>
    api.put(`/api/issues/${issueId}/documents/document-${row}`).send({ body: 'Text' }),
  'GET /api/issues/:issueId/documents/:key/revisions': async ({ api, db }, { issueId, key }) => {
    const { latestRevisionId: baseRevisionId } = await db.issueDocument.findFirstOrThrow({
      where: { issueId, key },
    });
    await api.put(`/api/issues/${issueId}/documents/${key}`).send({ body: 'Text', baseRevisionId });
  },
  'GET /api/issues/:issueId/attachments': ({ api }, { companyId, issueId }) =>
    api
      .post(`/api/companies/${companyId}/issues/${issueId}/attachments`)
      .attach('file', Buffer.from('some text'), 'file.txt'),
  'GET /api/companies/:companyId/heartbeat-runs': ({ build }, { companyId }) =>
    build.liveRun({ companyId }),
  'GET /api/companies/:companyId/costs/by-agent': async ({ api, build }, { companyId }) => {
    const { id: projectId } = await build.project({ companyId });
    const run = await build.liveRun({ companyId });
    const assigneeAgentId = run.agent.id;
    const { id: issueId } = await build.issue({ companyId, projectId, assigneeAgentId });
    const used = { provider: unique('provider'), model: unique('model'), inputTokens: 1 };
    const spent = { ...used, outputTokens: 1, costCents: 1, agentId: assigneeAgentId, issueId };
    await api
      .post(`/api/companies/${companyId}/cost-events`)
      .set('Authorization', run.authorization)
      .send(spent)
      .expect(201);
  },
  'GET /api/companies/:companyId/costs/limits': async ({ api, build }, { companyId }) => {
    const { id: agentId } = await build.agent({ companyId, budgetMonthlyCents: 10 });
    const used = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 9 };
    await api.post(`/api/companies/${companyId}/cost-events`).send({ ...used, agentId });
  },
  'GET /api/companies/:companyId/spend-caps': async ({ api, build }, { companyId }) => {
    const { id: scopeId } = await build.project({ companyId });
    const cap = { scope: 'project', scopeId, period: 'day', cents: 5 };
    await api.post(`/api/companies/${companyId}/spend-caps`).send(cap);
  },
  'GET /api/companies/:companyId/run-limits': ({ api }, { companyId }) =>
    api
      .post(`/api/companies/${companyId}/run-limits`)
      .send({ key: unique('deploy').replace(' ', '-'), maxRunning: 2 }),
  'GET /api/routines/:routineId/runs': ({ api }, { routineId }) =>
    api.post(`/api/routines/${routineId}/run`).send({}),
  'GET /api/endpoints/:endpointId/deliveries': ({ api }, { endpointId }) =>
    api.post(`/api/endpoints/${endpointId}/test`).send({}),
  'GET /api/companies/:companyId/members': async ({ db }, { companyId }) => {
    const person = { email: `${newId()}@example.com`, name: 'Member', passwordHash: '-' };
    const { id: userId } = await db.person.create({ data: { id: newId(), ...person } });
    await db.membership.create({ data: { id: newId(), companyId, userId, role: 'viewer' } });
  },
  'GET /api/companies/:companyId/invites': ({ db }, { companyId }) => {
    const [tokenHash, expiresAt] = [randomBytes(32), new Date(Date.now() + 86_400_000)];
    const invite = { companyId, role: 'viewer', createdByUserId: 'local-board' };
    return db.invite.create({ data: { id: newId(), ...invite, tokenHash, expiresAt } });
  },
};

const FEW = new Set(['GET /api/companies/:companyId/costs/by-day']);

const MANY = 6;
/** One statement finds the owner of the path's id; the other statements read the list. */
const MOST_STATEMENTS = 3;

describe('every list route', () => {
  const harness = useHarness();
  let ids: Ids;

  beforeAll(async () => {
    ({ ids } = await buildSide(harness));
    for (const list of LISTS) {
      for (let row = 0; row < MANY; row++) await makerOf(list)(harness, ids, row);
    }
  });

  const statementsOf = async (path: string) => {
    const query = jest.spyOn(harness.context.db.pool, 'query');
    try {
      const { body } = await harness.api.get(path).expect(200);
      return { count: query.mock.calls.length, body: body as unknown[] };
    } finally {
      query.mockRestore();
    }
  };

  it.each(LISTS.map((list) => [nameOf(list), list] as const))(
    'executes the same number of statements for many rows as for one, and declares every field: %s',
    async (name, list) => {
      const path = fill(list.path, ids);
      const one = await statementsOf(`${path}?limit=1`);
      const many = await statementsOf(`${path}?limit=30`);
      expect(one.body).toHaveLength(1);
      expect(many.body.length).toBeGreaterThanOrEqual(FEW.has(name) ? 1 : MANY);
      expect(many.count).toBe(one.count);
      expect(many.count).toBeLessThanOrEqual(MOST_STATEMENTS);
      expect(isDeepStrictEqual(list.response?.parse(many.body), many.body)).toBe(true);
    },
  );
});

function makerOf(list: OrchestrationRoute): Maker {
  const own = MAKERS[nameOf(list)];
  if (own) return own;
  const row = SECURITY_TABLE[`POST ${list.path}`];
  return async ({ api }, ids) => {
    if (!row) return;
    const request = api.post(fill(list.path, ids));
    const { file } = row;
    const body = row.body?.(ids) ?? {};
    const named = 'name' in body ? { ...body, name: unique('Row') } : body;
    const answer = file
      ? await request.attach('file', Buffer.from(file.content), { ...file, filename: file.name })
      : await request.send(named);
    if (answer.status >= 300) throw new Error(`${list.path}: ${JSON.stringify(answer.body)}`);
  };
}
