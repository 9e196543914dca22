import { resolve } from 'node:path';
import { useAuthenticatedHarness } from '@switchyard/orchestration/test/authenticated-harness';
import { type Harness, useHarness } from '@switchyard/orchestration/test/harness';
import { until } from '@switchyard/testing';
import type { RoutineRunView, RoutineView } from '@switchyard/types';
import type { N8nEditor, WorkflowNode } from './editor';
import { type N8n, startN8n } from './n8n';

const SAMPLE = resolve(__dirname, '../../../../services/orchestration/assets/n8n-routine.json');
const ID = 'switchyardRoutine';

describe('the sample workflow in a real n8n', () => {
  const harness = useAuthenticatedHarness();
  let n8n: N8n;
  beforeAll(async () => {
    n8n = await startN8n();
  }, 1_900_000);
  afterAll(() => n8n?.close());

  const prepare = async (changes: { secret?: string; maxReads?: number } = {}) => {
    const company = await harness.build.company();
    const viewer = await harness.operator(company.id, 'viewer');
    const { body: made } = await harness
      .as(viewer)
      .post('/api/auth/tokens')
      .send({ name: 'n8n', scope: 'read', companyId: company.id })
      .expect(201);
    const routine = await harness.build.routine({ companyId: company.id });
    const trigger = await harness.build.trigger(routine.id, {
      kind: 'webhook',
      signingMode: 'hmac_sha256',
    });
    await n8n.importCredentials(credentialsOf(changes.secret ?? trigger.secret, made.token));
    await n8n.importWorkflow(SAMPLE, {
      'http://127.0.0.1:3100': harness.url,
      'PUT-THE-PUBLIC-ID-HERE': trigger.publicId,
      '"amount": 10,': '"amount": 1,',
      '"value": 360': `"value": ${changes.maxReads ?? 360}`,
    });
    return { routine };
  };
  const credentialsOf = (secret: string, token: string) => [
    {
      id: 'switchyardSecret',
      name: 'Switchyard trigger',
      type: 'crypto',
      data: { hmacSecret: secret },
    },
    { id: 'switchyardToken', name: 'Switchyard token', type: 'httpBearerAuth', data: { token } },
  ];
  const runsOf = async ({ id }: RoutineView) =>
    (await harness.founding.get(`/api/routines/${id}/runs`).expect(200)).body as RoutineRunView[];
  const endAfter = async (firings: number, routine: RoutineView, status: 'done' | 'cancelled') => {
    await until('the firing', async () => (await runsOf(routine)).length === firings, 200_000);
    const first = (await runsOf(routine)).at(-1);
    const where = { id: first?.linkedIssueId as string };
    await harness.db.issue.update({ where, data: { status: 'in_review' } });
    await harness.founding.patch(`/api/issues/${where.id}`).send({ status }).expect(200);
  };

  it('fires a routine and waits until the routine run has completed', async () => {
    const { routine } = await prepare();
    const execution = n8n.execute(ID);
    await endAfter(1, routine, 'done');
    const { lastNode, error, runs } = await execution;
    expect({ lastNode, error }).toEqual({ lastNode: 'Done', error: null });
    expect(runs.Fire).toBe(1);
    const [run] = await runsOf(routine);
    expect(run).toMatchObject({
      source: 'webhook',
      status: 'completed',
      payload: { from: 'n8n', execution: expect.any(String) },
    });
  }, 300_000);

  it('follows an active routine run instead of starting another', async () => {
    const { routine } = await prepare();
    await harness.founding.post(`/api/routines/${routine.id}/run`).send({}).expect(202);
    const execution = n8n.execute(ID);
    await endAfter(2, routine, 'done');
    expect(await execution).toMatchObject({ lastNode: 'Done', error: null });
    const [joined, active] = await runsOf(routine);
    expect(joined).toMatchObject({ status: 'coalesced', activeRoutineRunId: active?.id });
  }, 300_000);

  it('fails with the status of a cancelled routine run', async () => {
    const { routine } = await prepare();
    const execution = n8n.execute(ID);
    await endAfter(1, routine, 'cancelled');
    const { lastNode, error } = await execution;
    expect(lastNode).toBe('Failed');
    expect(error).toMatch(/^The routine run [-0-9a-f]{36} ended as cancelled/);
  }, 300_000);

  it('fails after the configured number of reads if the routine run has not ended', async () => {
    const { routine } = await prepare({ maxReads: 2 });
    const { lastNode, error, runs } = await n8n.execute(ID);
    expect(lastNode).toBe('Gave up');
    expect(error).toContain('has not ended');
    expect(runs.Read).toBe(2);
    expect(await runsOf(routine)).toHaveLength(1);
  }, 300_000);

  it('fails with the reason if the signature is rejected', async () => {
    await prepare({ secret: 'not the secret of this trigger' });
    const { lastNode, error } = await n8n.execute(ID);
    expect(lastNode).toBe('Fire');
    expect(error).toContain('the signature is missing or not valid');
  }, 300_000);
});

describe('the sample workflow in the editor of a running n8n', () => {
  const signedIn = useAuthenticatedHarness();
  const local = useHarness();
  let n8n: N8n;
  let editor: N8nEditor;
  beforeAll(async () => {
    n8n = await startN8n();
    editor = await n8n.serve();
  }, 1_900_000);
  afterAll(() => n8n?.close());

  const importSample = async (
    service: Pick<Harness, 'build' | 'url'>,
    routine: RoutineView,
    change: (nodes: Record<string, WorkflowNode>) => void,
  ) => {
    const trigger = await service.build.trigger(routine.id, {
      kind: 'webhook',
      signingMode: 'hmac_sha256',
    });
    const hmacSecret = trigger.secret as string;
    const crypto = await editor.makeCredential('Switchyard trigger', 'crypto', { hmacSecret });
    return editor.importFile(SAMPLE, (nodes) => {
      const { Settings, Sign, Wait } = nodes as Record<string, WorkflowNode>;
      if (!Settings || !Sign || !Wait) throw new Error('the sample has other nodes');
      const fireUrl = trigger.fireUrl?.replace(/^.*(?=\/api\/)/, service.url);
      const { assignments } = Settings.parameters.assignments as { assignments: Assignment[] };
      for (const one of assignments) if (one.name === 'fireUrl') one.value = fireUrl;
      Sign.credentials = { crypto };
      Wait.parameters.amount = 1;
      change(nodes);
    });
  };
  const handIn = async ({ db }: Pick<Harness, 'db'>, routine: RoutineView) => {
    const { linkedIssueId } = await until(
      'the firing',
      () => db.routineRun.findFirst({ where: { routineId: routine.id } }),
      120_000,
    );
    await db.issue.update({
      where: { id: linkedIssueId as string },
      data: { status: 'in_review' },
    });
    return linkedIssueId as string;
  };

  it('runs with a token in authenticated mode', async () => {
    const company = await signedIn.build.company();
    const viewer = await signedIn.operator(company.id, 'viewer');
    const { body: made } = await signedIn
      .as(viewer)
      .post('/api/auth/tokens')
      .send({ name: 'n8n', scope: 'read' })
      .expect(201);
    const routine = await signedIn.build.routine({ companyId: company.id });
    const httpBearerAuth = await editor.makeCredential('Switchyard token', 'httpBearerAuth', {
      token: made.token,
    });
    const id = await importSample(signedIn, routine, ({ Read }) => {
      if (Read) Read.credentials = { httpBearerAuth };
    });
    const execution = editor.execute(id);
    const issueId = await handIn(signedIn, routine);
    await signedIn.founding.patch(`/api/issues/${issueId}`).send({ status: 'done' }).expect(200);
    expect(await execution).toMatchObject({ lastNode: 'Done', error: null });
  }, 300_000);

  it('runs without a token in local mode', async () => {
    const routine = await local.build.routine();
    const id = await importSample(local, routine, ({ Read }) => {
      if (!Read) return;
      Read.parameters.authentication = 'none';
      delete Read.credentials;
    });
    const execution = editor.execute(id);
    const issueId = await handIn(local, routine);
    await local.api.patch(`/api/issues/${issueId}`).send({ status: 'done' }).expect(200);
    expect(await execution).toMatchObject({ lastNode: 'Done', error: null });
  }, 300_000);
});

interface Assignment {
  name: string;
  value: unknown;
}
