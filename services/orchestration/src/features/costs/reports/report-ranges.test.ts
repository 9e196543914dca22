import { randomInt } from 'node:crypto';
import { newId } from '@switchyard/db';
import fc from 'fast-check';
import { useHarness } from '../../../../test/harness';
import { walkPages } from '../../../../test/walk-pages';

const LISTS = [
  'by-agent',
  'by-project',
  'by-day',
  'by-provider',
  'by-model',
  'by-issue',
  'by-run',
] as const;

interface Sums {
  costCents: number;
  inputTokens: number;
  outputTokens: number;
  unpricedEvents: number;
}

interface Event extends Sums {
  at: string;
  agentId: string;
  projectId: string | null;
  issueId: string | null;
  runId: string | null;
  provider: string;
  model: string;
}

const EDGES = ['2023-12-31', '2024-01-01', '2024-02-28', '2024-02-29', '2024-03-01'].flatMap(
  (day) => [`${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`],
);

const DAYS = Array.from({ length: 150 }, (_, n) =>
  new Date(Date.UTC(2023, 10, 20 + n)).toISOString().slice(0, 10),
);

const pick = <T>(all: readonly T[]): T => all[randomInt(all.length)] as T;

const add = (rows: readonly Sums[]): Sums => {
  const total = { costCents: 0, inputTokens: 0, outputTokens: 0, unpricedEvents: 0 };
  for (const row of rows) {
    for (const key of Object.keys(total) as (keyof Sums)[]) total[key] += row[key];
  }
  return total;
};

describe('cost reports for a date range', () => {
  const harness = useHarness();
  let companyId: string;
  let at: string;
  const events: Event[] = [];

  beforeAll(async () => {
    const { build } = harness;
    ({ id: companyId } = await build.company());
    at = `/api/companies/${companyId}/costs`;
    const agents = [await build.agent({ companyId }), await build.agent({ companyId })];
    const projects = [await build.project({ companyId }), await build.project({ companyId })];
    const issues = [await build.issue({ companyId }), await build.issue({ companyId })];
    const runs = [await build.liveRun(agents[0]), await build.liveRun(agents[1])];
    const times = Array.from(
      { length: 300 },
      () => `${pick(DAYS)}T${pick(['00', '11', '22', '23'])}:59:59.${pick(['000', '999'])}Z`,
    );
    for (const time of [...EDGES, ...times]) {
      const unpriced = randomInt(5) === 0;
      events.push({
        at: time,
        agentId: pick(agents).id,
        projectId: pick([null, ...projects])?.id ?? null,
        issueId: pick([null, ...issues])?.id ?? null,
        runId: pick([null, ...runs])?.id ?? null,
        provider: pick(['acme', 'other', "o'r\n{}"]),
        model: pick(['small', 'large', '💥'.repeat(100)]),
        costCents: unpriced ? 0 : randomInt(3),
        inputTokens: randomInt(1_000),
        outputTokens: randomInt(1_000),
        unpricedEvents: unpriced ? 1 : 0,
      });
    }
    await insert(companyId, events);
  });

  const insert = async (company: string, inserted: readonly Event[]) => {
    for (const event of inserted) {
      await harness.context.db.pool.query(
        `INSERT INTO cost_event (id, source, company_id, agent_id, project_id, issue_id, run_id, provider,
           model, cost_cents, input_tokens, output_tokens, unpriced, created_at)
         VALUES ($1, 'agent', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [
          newId(),
          company,
          event.agentId,
          event.projectId,
          event.issueId,
          event.runId,
          event.provider,
          event.model,
          event.costCents,
          event.inputTokens,
          event.outputTokens,
          event.unpricedEvents === 1,
          event.at,
        ],
      );
    }
  };
  const summary = async (query = '') =>
    (await harness.api.get(`${at}/summary?${query}`).expect(200)).body;
  const within = (from: string, to: string) =>
    events.filter((event) => event.at.slice(0, 10) >= from && event.at.slice(0, 10) < to);
  const expectSums = async (query: string, recorded: readonly Sums[]) => {
    const expected = add(recorded);
    const { spendCents, unpricedEvents } = await summary(query);
    expect({ spendCents, unpricedEvents }).toEqual({
      spendCents: expected.costCents,
      unpricedEvents: expected.unpricedEvents,
    });
    for (const list of LISTS) {
      const rows = await walkPages<Sums>(harness, `${at}/${list}?${query}`, 1 + randomInt(100));
      expect({ list, ...add(rows) }).toEqual({ list, ...expected });
    }
  };

  it('equal the sum of the events in the range, for any range', async () => {
    const ranges = fc.tuple(fc.nat(DAYS.length - 1), fc.nat(40));
    await fc.assert(
      fc.asyncProperty(ranges, async ([first, days]) => {
        const from = DAYS[first] as string;
        const to = new Date(Date.parse(from) + (days + 1) * 86_400_000).toISOString().slice(0, 10);
        await expectSums(`from=${from}&to=${to}`, within(from, to));
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['2023-12', '2023-12-01', '2024-01-01'],
    ['2024-02', '2024-02-01', '2024-03-01'],
    ['2023-02', '2023-02-01', '2023-03-01'],
  ])('cover the month %s from %s (inclusive) to %s (exclusive)', async (month, from, to) => {
    await expectSums(`month=${month}`, within(from, to));
    expect(await summary(`month=${month}`)).toMatchObject({ month, from, to });
    expect(await summary(`from=${from}&to=${to}`)).toEqual(await summary(`month=${month}`));
    expect(await summary(`from=${from}&to=${to.slice(0, 8)}02`)).toMatchObject({
      month: null,
      utilizationPercent: null,
      alert: 'none',
    });
  });

  it('include 29 February and the last millisecond of a day', async () => {
    const leap = within('2024-02-29', '2024-03-01');
    expect(leap.length).toBeGreaterThanOrEqual(2);
    await expectSums('from=2024-02-29&to=2024-03-01', leap);
  });

  it('may cover 366 days', () =>
    expectSums('from=2023-06-01&to=2024-06-01', within('2023-06-01', '2024-06-01')));

  it('exclude the spend of other companies', async () => {
    const other = await harness.build.company();
    for (const list of [...LISTS, 'summary'] as const) {
      if (list === 'by-day') continue;
      const path = `/api/companies/${other.id}/costs/${list}?from=2023-06-01&to=2024-06-01`;
      const { body } = await harness.api.get(path).expect(200);
      expect(list === 'summary' ? body.spendCents : body).toEqual(list === 'summary' ? 0 : []);
    }
  });

  it('list every past day, including days without spend, newest first', async () => {
    const { body } = await harness.api.get(`${at}/by-day?month=2024-02`).expect(200);
    expect(body.map(({ day }: { day: string }) => day)).toEqual(
      Array.from({ length: 29 }, (_, n) => `2024-02-${String(29 - n).padStart(2, '0')}`),
    );
    const empty = await harness.api.get(`${at}/by-day?month=1999-02`).expect(200);
    expect(empty.body).toHaveLength(28);
    expect(add(empty.body)).toEqual(add([]));
    const { body: ahead } = await harness.api.get(`${at}/by-day?month=2999-12`).expect(200);
    expect(ahead).toEqual([]);
    const { rows } = await harness.context.db.pool.query(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today`,
    );
    const { body: present } = await harness.api.get(`${at}/by-day`).expect(200);
    expect(present[0].day).toBe(rows[0].today);
    expect(present).toHaveLength(Number(rows[0].today.slice(8)));
  });

  it('sort rows by cost, and show spend without a group in a row with null', async () => {
    const query = 'from=2023-06-01&to=2024-06-01&limit=500';
    for (const list of ['by-provider', 'by-model', 'by-issue', 'by-run']) {
      const { body } = await harness.api.get(`${at}/${list}?${query}`).expect(200);
      const costs = body.map((row: Sums) => row.costCents);
      expect(costs).toEqual([...costs].sort((a, b) => b - a));
      expect(body.length).toBeGreaterThan(2);
    }
    const { body } = await harness.api.get(`${at}/by-issue?${query}`).expect(200);
    const none = body.find((row: { issueId: string | null }) => row.issueId === null);
    expect(none).toMatchObject({ identifier: null, title: null });
    expect(none.events).toBe(events.filter((event) => event.issueId === null).length);
    const named = body.find((row: { issueId: string | null }) => row.issueId !== null);
    expect(named).toMatchObject({ identifier: expect.any(String), title: expect.any(String) });
    const runs = (await harness.api.get(`${at}/by-run?${query}`).expect(200)).body;
    expect(runs.map((row: { status: unknown }) => row.status).sort()).toEqual(
      [null, 'running', 'running'].sort(),
    );
  });

  it('return the same values for the current month as without a range', async () => {
    const agent = await harness.build.agent({ companyId, budgetMonthlyCents: 100 });
    const cost = { provider: 'p', model: 'm', inputTokens: 3, outputTokens: 4, costCents: 85 };
    const path = `/api/companies/${companyId}/cost-events`;
    await harness.api
      .post(path)
      .send({ ...cost, agentId: agent.id })
      .expect(201);
    const { month } = await summary();
    expect(await summary(`month=${month}`)).toEqual(await summary());
    for (const list of LISTS) {
      const rows = await walkPages(harness, `${at}/${list}`, 100);
      expect(await walkPages(harness, `${at}/${list}?month=${month}`, 100)).toEqual(rows);
    }
    await expectSums('', [{ ...cost, unpricedEvents: 0 }]);
    const read = async (query: string) =>
      (await harness.api.get(`${at}/by-agent?${query}`).expect(200)).body[0];
    expect(await read('')).toMatchObject({ utilizationPercent: 85, unlimited: false });
    expect(await read('month=2024-02')).toMatchObject({
      agentId: agent.id,
      costCents: 0,
      budgetMonthlyCents: 100,
      utilizationPercent: null,
      burnRateCentsPerDay: 85,
    });
  });

  it.each([
    ['month=2024-13', ['month']],
    ['month=2024-2', ['month']],
    ['month=2024-02-01', ['month']],
    ['month=', ['month']],
    ['month=0000-01', ['month']],
    ['month=1969-12', ['month']],
    ['month=3000-01', ['month']],
    ['month=2024-02&from=2024-02-01&to=2024-03-01', ['from', 'to']],
    ['month=2024-02&to=2024-03-01', ['to']],
    ['from=2024-02-01', ['to']],
    ['to=2024-02-01', ['from']],
    ['from=2023-02-29&to=2023-03-01', ['from']],
    ['from=2024-02-30&to=2024-03-01', ['from']],
    ['from=2024-03-01&to=2024-03-01', ['to']],
    ['from=2024-03-02&to=2024-03-01', ['to']],
    ['from=2024-03-01&to=2023-03-01', ['to']],
    ['from=2023-01-01&to=2024-01-03', ['to']],
    ['from=2024-03-01T00:00:00Z&to=2024-03-02', ['from']],
    ['from=0000-01-01&to=0000-01-02', ['from', 'to']],
    ['from=9999-12-31&to=2024-01-01', ['from']],
    ['from=-infinity&to=infinity', ['from', 'to']],
    ["from=2024-01-01'--&to=2024-01-02", ['from']],
    ['from=2024-01-01&from=2024-01-02&to=2024-01-03', ['from']],
    ['from=%00&to=2024-01-02', ['from']],
    ['since=2024-01-01', ['since']],
  ])('reject %s, and the error names the field', async (query, fields) => {
    for (const report of [...LISTS, 'summary']) {
      const { status, body } = await harness.api.get(`${at}/${report}?${query}`);
      const paths = body.details?.flatMap(({ path }: { path: string[] }) => path);
      expect({ report, status, code: body.code, paths }).toEqual({
        report,
        status: 400,
        code: 'validation_error',
        paths: fields,
      });
    }
  });

  it.each([
    ['x'],
    [Buffer.from('[1e300,"nonsense"]').toString('base64url')],
    [Buffer.from('["2024-02-30T00:00:00.000Z"]').toString('base64url')],
    [Buffer.from('[]').toString('base64url')],
  ])('reject the cursor %s', async (cursor) => {
    for (const report of LISTS) {
      await harness.api.get(`${at}/${report}?cursor=${cursor}`).expect(400);
    }
  });

  it('return the same rows to an agent as to the board, and 403 to other companies', async () => {
    const own = await harness.build.apiKey((await harness.build.agent({ companyId })).id);
    const stranger = await harness.build.apiKey((await harness.build.agent()).id);
    for (const report of [...LISTS, 'summary', 'limits']) {
      const path = `${at}/${report}${report === 'limits' ? '' : '?month=2024-02'}`;
      const seen = await harness.api.get(path).set('Authorization', own).expect(200);
      expect(seen.body).toEqual((await harness.api.get(path).expect(200)).body);
      const refused = await harness.api.get(path).set('Authorization', stranger);
      expect([refused.status, refused.body.code]).toEqual([403, 'cross_company']);
    }
  });
});
