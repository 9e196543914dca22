import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import { z } from 'zod';
import { createCanaries, findCanaries, readFiles, readTables } from '../../../test/canaries';
import { useHarness } from '../../../test/harness';
import { rowsOf } from '../../../test/rows-of-company';
import { SUCCEEDED } from '../../../test/scripted-adapter';
import { type RouteRow, SECURITY_TABLE } from '../../../test/security-table';
import { buildSide, fill, type Ids, type Side } from '../../../test/world';
import { allRoutes } from '../../http/routes';
import type { OrchestrationRoute } from '../../route';
import { eraseCompanies } from '../../work/erase-companies';
import { foldStatusChanges } from '../dashboard/fold-status-changes';
import { foldSearchChanges } from '../search/fold-search-changes';

describe('the erasure of a deleted company', () => {
  const harness = useHarness();
  const canaries = createCanaries();

  it('removes its text from all tables and files, and keeps every row of another company', async () => {
    const { api, context, db, scripted } = harness;
    const canary = canaries.make('company');
    const side = await buildSide(harness);
    const other = await buildSide(harness);
    const { ids } = side;
    const { companyId } = ids;
    scripted.on('*', (run) => {
      run.onOutput(Buffer.from(`${canary}\n`));
      return SUCCEEDED;
    });
    await plant(side, canary);
    await harness.build.queuedRun(ids.colleagueId as string);
    await harness.drain();
    await foldSearchChanges(context);
    await foldStatusChanges(context);
    const folders = [`homes/${companyId}/${ids.agentId}`, `runs/${ids.runId}`];
    folders.push(`repositories/${ids.projectId}/x`);
    for (const folder of folders) await leave(folder, canary);
    const filled = (await rowsOf(harness, companyId)).map(([table]) => table);
    expect(FILLED.filter((table) => !filled.includes(table))).toEqual([]);
    const planted = new Set(await placesOf(canary, companyId));
    expect(PLANTED.filter((place) => !planted.has(place))).toEqual([]);

    const before = await rowsOf(harness, other.ids.companyId);
    expect(before.length).toBeGreaterThan(25);
    await api.post(`/api/companies/${companyId}/archive`).expect(200);
    await db.heartbeatRun.updateMany({
      where: { companyId, status: 'running' },
      data: { status: 'cancelled', finishedAt: new Date() },
    });
    const { name } = await db.company.findUniqueOrThrow({ where: { id: companyId } });
    await api.delete(`/api/companies/${companyId}`).send({ name }).expect(200);
    await eraseCompanies(context);

    const places = [...(await readTables(harness)), ...readFiles(harness.config.dataDir)];
    expect(findCanaries(canaries.all, places)).toEqual([]);
    expect(await rowsOf(harness, companyId)).toEqual([]);
    expect(await rowsOf(harness, other.ids.companyId)).toEqual(before);
    await api.get(`/api/attachments/${other.ids.attachmentId}/content`).expect(200);
  });

  it('completes during concurrent writes, which receive 404 or 409 and leave no row', async () => {
    const { api, build, config, context, db } = harness;
    const company = await build.company();
    const path = `/api/companies/${company.id}`;
    const agent = await build.agent({ companyId: company.id });
    const issue = await build.issue({ companyId: company.id });
    const authorization = await build.apiKey(agent.id);
    const cost = { agentId: agent.id, provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };
    const checkout = { agentId: agent.id, expectedStatuses: ['backlog', 'todo', 'in_progress'] };
    const key = () => newId();
    const writers: (() => PromiseLike<{ status: number; body: unknown }>)[] = [
      () => api.post(`/api/issues/${issue.id}/checkout`).send(checkout),
      () => api.post(`/api/issues/${issue.id}/release`).send({}),
      () => api.post(`${path}/cost-events`).send({ ...cost, costCents: 1 }),
      () => api.post(`/api/agents/${agent.id}/heartbeat/invoke`).send({}),
      () => api.post(`${path}/issues`).set('Idempotency-Key', key()).send({ title: 'Late' }),
      () => api.post(`/api/issues/${issue.id}/comments`).send({ body: 'late' }),
      () => api.put(`/api/issues/${issue.id}/documents/${key()}`).send({ body: 'late' }),
      () => api.post(`${path}/labels`).send({ name: key() }),
      () => api.post(`${path}/secrets`).send({ name: `S_${key()}`, value: 'late' }),
      () => api.post(`${path}/issues/${issue.id}/attachments`).attach('file', LATE, 'late.txt'),
      () => api.get('/api/agents/me').set('Authorization', authorization),
      () => api.get(`${path}/issues`),
    ];
    let isOver = false;
    let rounds = 0;
    const seen = new Map<string, unknown>();
    const write = async (writer: () => PromiseLike<{ status: number; body: unknown }>) => {
      while (!isOver) {
        const { status, body } = await writer();
        seen.set(`${status} ${(body as { code?: string }).code ?? ''}`, body);
        rounds += 1;
      }
    };
    const writing = writers.map(write);
    const round = async () => {
      const from = rounds;
      await until('a round of writers', () => rounds > from + writers.length);
    };
    await round();
    await api.post(`${path}/archive`).expect(200);
    await round();
    await api.delete(path).send({ name: company.name }).expect(200);
    await until('the company to be erased', async () => {
      await eraseCompanies(context).catch(() => undefined);
      return (await db.company.count({ where: { id: company.id } })) === 0;
    });
    await round();
    isOver = true;
    await Promise.all(writing);
    const refused = [...seen.keys()].filter((status) => !status.startsWith('2')).sort();
    expect(refused.filter((status) => /^[5]/.test(status))).toEqual([]);
    expect(refused).toEqual(expect.arrayContaining(['404 not_found', '409 company_archived']));
    expect(await rowsOf(harness, company.id)).toEqual([]);
    const kept = await db.asset.findMany({ select: { storageKey: true } });
    const keys = new Set(kept.map(({ storageKey }) => storageKey));
    const files = readFiles(join(config.dataDir, 'files')).map(([place]) => place.slice(-32));
    expect(files.filter((file) => !keys.has(file))).toEqual([]);
  });

  it('removes the bytes of an upload that ends after the erasure, and returns 404 to the upload', async () => {
    const { api, build, config, context } = harness;
    const issue = await build.issue();
    const path = `/api/companies/${issue.companyId}`;
    const { name } = (await api.get(path).expect(200)).body;
    const { write } = context.files;
    const written: string[] = [];
    context.files.write = async (key, source) => {
      await api.post(`${path}/archive`).expect(200);
      await api.delete(path).send({ name }).expect(200);
      await eraseCompanies(context);
      await write(key, source);
      written.push(key);
    };
    const upload = api.post(`${path}/issues/${issue.id}/attachments`);
    await upload.attach('file', LATE, 'late.txt').expect(404);
    context.files.write = write;
    expect(written).toHaveLength(1);
    const files = readFiles(join(config.dataDir, 'files')).map(([place]) => place);
    expect(files.filter((place) => place.includes(written[0] as string))).toEqual([]);
    expect(await rowsOf(harness, issue.companyId)).toEqual([]);
  });

  async function leave(folder: string, text: string): Promise<void> {
    const path = join(harness.config.dataDir, folder);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'file.txt'), text);
  }

  async function placesOf(canary: string, companyId: string): Promise<string[]> {
    const tables = (await rowsOf(harness, companyId)).flatMap(([table, rows]) =>
      rows.flatMap((row) =>
        Object.entries(row as object)
          .filter(([, value]) => JSON.stringify(value).includes(canary))
          .map(([column]) => `${table}.${column}`),
      ),
    );
    const files = readFiles(harness.config.dataDir).filter(([, text]) => text.includes(canary));
    return [...tables, ...files.map(() => 'file')];
  }

  async function plant(side: Side, canary: string): Promise<void> {
    const authorization = await harness.build.apiKey(side.agent.id);
    for (const [name, row] of Object.entries(SECURITY_TABLE)) {
      const route = allRoutes.find(({ method, path }) => `${method} ${path}` === name);
      if (!route || !isPlanted(route, row)) continue;
      const path = fill(route.path, side.ids);
      const headers = route.access === 'agent' ? { Authorization: authorization } : {};
      const send = (body: object) =>
        harness.api[route.method.toLowerCase() as 'post'](path)
          .set({ ...headers, ...(route.method === 'POST' && { 'Idempotency-Key': newId() }) })
          .send(body);
      const base = row.body?.(side.ids) ?? {};
      for (const more of FURTHER[name]?.(canary, side.ids) ?? []) {
        const { status, body } = await send({ ...base, ...more });
        if (status >= 300) throw new Error(`${name} ${JSON.stringify([more, body])}`);
      }
      for (const field of textFields(route)) await send({ ...base, [field]: canary });
    }
    const { companyId, issueId } = side.ids;
    await harness.api
      .post(`/api/companies/${companyId}/issues/${issueId}/attachments`)
      .attach('file', Buffer.from(canary), `${canary}.txt`)
      .expect(201);
  }
});

const LATE = Buffer.from('late');

const ENDS = [
  'POST /api/agents/:agentId/pause',
  'POST /api/agents/:agentId/terminate',
  'POST /api/companies/:companyId/archive',
];

function isPlanted({ method, path, access }: OrchestrationRoute, row: RouteRow): boolean {
  if (method === 'GET' || method === 'DELETE' || access === 'runner') return false;
  if (ENDS.includes(`${method} ${path}`)) return false;
  return path.includes('/:') && (row.status ?? 200) < 400;
}

interface Property {
  type?: string;
  format?: string;
  enum?: unknown;
  const?: unknown;
  anyOf?: Property[];
}

const isText = ({ type, format, enum: values, const: only, anyOf }: Property): boolean =>
  anyOf?.some(isText) || (type === 'string' && !format && !values && !only);

function textFields({ body }: OrchestrationRoute): string[] {
  if (!body) return [];
  const schema = z.toJSONSchema(body as z.ZodType, { io: 'input', unrepresentable: 'any' });
  const properties = (schema.properties ?? {}) as Record<string, Property>;
  return Object.keys(properties).filter((name) => isText(properties[name] as Property));
}

const FURTHER: Record<string, (canary: string, ids: Ids) => object[]> = {
  'PATCH /api/companies/:companyId': (canary) => [{ egressAllowList: [`${canary}.example.com`] }],
  'PATCH /api/agents/:agentId': (canary) => [{ adapterConfig: { env: { TEXT: canary } } }],
  'POST /api/agents/:agentId/heartbeat/invoke': (canary) => [{ payload: { text: canary } }],
  'POST /api/routines/:routineId/run': (canary) => [
    { payload: { text: canary }, triggerId: undefined },
  ],
  'PATCH /api/issues/:issueId': () => [{ labels: ['Label'] }],
  'PUT /api/issues/:issueId/documents/:key': (canary) => [{ title: canary, body: canary }],
};

const PLANTED = `
  activity.details agent.adapter_config agent.capabilities agent.name agent.role
  agent_config_revision.after agent_config_revision.before agent_key.name
  approval.decision_note approval.payload approval_comment.body attachment.original_filename
  company.egress_allow_list company.name cost_day.model cost_event.idempotency_key
  cost_event.model document_revision.body document_revision.title endpoint.description file
  goal.description goal.title heartbeat_run.wake_reasons issue.billing_code
  issue.description issue.title issue_comment.body label.name project.description
  project.name routine.description routine.title routine_run.payload routine_trigger.label
  runner.name saved_view.name saved_view.query secret.description secret.name workspace.name
  workspace.repo_ref`
  .trim()
  .split(/\s+/);

const FILLED = [
  'idempotency_record',
  'issue_label',
  'run_log_chunk',
  'search_entry',
  'status_tally',
];
