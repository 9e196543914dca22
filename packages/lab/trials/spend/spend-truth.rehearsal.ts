import { sweepReservations } from '@switchyard/orchestration/src/state/costs/sweep-reservations';
import { findViolations } from '@switchyard/orchestration/test/find-violations';
import { useHarness } from '@switchyard/orchestration/test/harness';
import { PROVIDER_HOST } from '@switchyard/orchestration/test/providers/serve-provider';
import {
  startRunnerProcess,
  startWorkerProcess,
  type WorkerProcess,
} from '@switchyard/orchestration/test/worker-process';
import { freePort, randomFrom, until } from '@switchyard/testing';
import { billCalls, TOKENS_PER_CENT } from './bill-calls';

const AGENTS = 16;
const CAP = 100;
const FAULTS = ['the runner is killed', 'the server is killed', 'the runner freezes', 'no fault'];

/** Another seed finds other orders: `SPEND_RUNS=1000 SPEND_SEED=7`. */
const rounds = Math.ceil(Number(process.env.SPEND_RUNS ?? AGENTS * FAULTS.length) / AGENTS);
const seed = Number(process.env.SPEND_SEED ?? 1);

const AGENT = `
  const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env;
  const [, kind, ...most] = process.argv;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const claim = { type: 'usage', provider: 'anthropic', model: 'm', inputTokens: 1, outputTokens: 0, costCents: 0 };
  const ask = async (cents) => {
    const leaving = new AbortController();
    const body = JSON.stringify({ model: 'm', max_tokens: cents * ${TOKENS_PER_CENT}, stream: true });
    const { signal } = leaving;
    const answer = await fetch(url + '/v1/messages', { method: 'POST', headers, body, signal });
    if (kind !== 'honest') console.log(JSON.stringify(claim));
    if (answer.status === 402) process.exit(1);
    let text = '';
    for await (const chunk of answer.body) {
      text += Buffer.from(chunk).toString();
      const [, number] = /"held","number":(\\d+)/.exec(text) ?? [];
      if (number === undefined) continue;
      text = '';
      const how = kind === 'leaves' ? '&leaves' : '';
      await fetch(url + '/v1/models?call=' + number + how, { headers }).then((seen) => seen.text());
      if (kind === 'leaves') leaving.abort();
    }
  };
  (async () => {
    for (const cents of most) await ask(Number(cents)).catch(() => undefined);
  })();`;

const KINDS = ['honest', 'lies', 'honest', 'leaves'];

const MOST = 30;
/** All calls that leave spend less than half of the cap, so that a quarter is always held. */
const MOST_OF_LEAVING = 3;

const UNFINISHED =
  'SELECT FROM heartbeat_run WHERE company_id = $1 AND finished_at IS NULL LIMIT 1';
const RESERVED = 'SELECT FROM reservation WHERE company_id = $1 AND cents > 0 LIMIT 1';

const SPENT = `
  SELECT (SELECT coalesce(sum(cost_cents), 0)::int FROM cost_event WHERE company_id = $1) AS spent,
    (SELECT coalesce(sum(cents), 0)::int FROM reservation WHERE company_id = $1) AS reserved`;

describe('the spend that a provider bills', () => {
  const harness = useHarness();
  const query = (sql: string, ...values: unknown[]) => harness.context.db.pool.query(sql, values);
  const random = randomFrom(seed);
  const started: WorkerProcess[] = [];
  const keep = <T extends WorkerProcess>(one: T): T => {
    started.push(one);
    return one;
  };
  const kill = async (one: WorkerProcess) => {
    one.signal('SIGKILL');
    await one.ended;
  };
  let provider: Awaited<ReturnType<typeof billCalls>>;
  afterAll(async () => {
    for (const one of started) await kill(one);
    provider.close();
  });

  const startProcesses = async (providerPort: number) => {
    const WORKER_PORT = String(await freePort());
    const startWorker = () => startWorkerProcess(harness.config, { WORKER_PORT }).then(keep);
    const anthropic = { baseUrl: `http://${PROVIDER_HOST}:${providerPort}/v1` };
    const providers = { anthropic: { ...anthropic, header: 'x-api-key', value: 'key' } };
    const settings = {
      GATEWAY_PROVIDERS: JSON.stringify(providers),
      AGENT_ALLOWED_HOSTS: `${PROVIDER_HOST}:${providerPort}`,
      MODEL_PRICES: JSON.stringify({ m: { input: 0, output: 10 } }),
      RUNNER_CONCURRENCY: String(AGENTS),
      RUNNER_NAME: 'spend',
    };
    const first = await startWorker();
    const startRunner = () => startRunnerProcess(harness.config, first.url, settings).then(keep);
    return { worker: first, runner: await startRunner(), startWorker, startRunner };
  };

  const expire = async (companyId: string) => {
    await query(
      `UPDATE reservation SET expires_at = now() - interval '1 ms'
       WHERE company_id = $1 AND cents > 0`,
      companyId,
    );
    await sweepReservations(harness.context);
  };
  const readLedger = async (companyId: string) => {
    const { rows } = await query(
      `SELECT source, input_tokens::int AS number, cost_cents::int AS cents FROM cost_event
       WHERE company_id = $1 AND source IN ('gateway', 'reservation') ORDER BY input_tokens`,
      companyId,
    );
    return rows as { source: string; number: number; cents: number }[];
  };
  const sum = (amounts: { cents: number }[]) =>
    amounts.reduce((total, { cents }) => total + cents, 0);

  it(`equals the ledger and never exceeds a cap, during faults (seed ${seed})`, async () => {
    let companyId = '';
    const totals: Promise<number>[] = [];
    const countTotal = async () => {
      const { rows } = await query(SPENT, companyId);
      return rows[0].spent + rows[0].reserved;
    };
    provider = await billCalls(random, () => totals.push(countTotal()));
    const lacks = async (found: string) => (await query(found, companyId)).rows.length === 0;
    const processes = await startProcesses(provider.port);
    const found = { calls: 0, settled: 0, unsettled: 0 };

    const cause: Record<string, () => Promise<void>> = {
      'the runner is killed': async () => {
        await kill(processes.runner);
        await provider.closed();
        await expire(companyId);
        provider.release('finish');
        processes.runner = await processes.startRunner();
      },
      'the server is killed': async () => {
        await kill(processes.worker);
        provider.release('finish');
        await provider.closed();
        processes.worker = await processes.startWorker();
      },
      'the runner freezes': async () => {
        processes.runner.signal('SIGSTOP');
        await expire(companyId);
        provider.release('cut');
        processes.runner.signal('SIGCONT');
      },
      'no fault': async () => provider.release('finish'),
    };

    for (let round = 0; round < rounds; round++) {
      const fault = FAULTS[round % FAULTS.length] as string;
      const before = provider.calls.length;
      provider.hold();
      companyId = (await harness.build.company()).id;
      const cap = { scope: 'company', scopeId: companyId, period: 'total', cents: CAP };
      await harness.api.post(`/api/companies/${companyId}/spend-caps`).send(cap).expect(201);
      for (let n = 0; n < AGENTS; n++) {
        const kind = KINDS[n % KINDS.length] as string;
        const most = [1, 2, 3].map(() =>
          String(1 + Math.floor(random() * (kind === 'leaves' ? MOST_OF_LEAVING : MOST))),
        );
        const args = ['-e', AGENT, kind, ...most];
        const adapterConfig = { command: process.execPath, args };
        const agent = await harness.build.agent({
          companyId,
          adapterType: 'process',
          adapterConfig,
        });
        await harness.build.queuedRun(agent.id);
      }
      await until('held calls', () => provider.heldCents() > CAP / 4 && provider.isQuiet());
      await cause[fault]?.();
      await until('the runs to end', () => lacks(UNFINISHED));
      await harness.api.post(`/api/companies/${companyId}/archive`).expect(200);
      await until('the continued runs to end', () => lacks(UNFINISHED));
      await until('the settlements', () => lacks(RESERVED));
      await expire(companyId);
      const billed = provider.calls.slice(before);
      const ledger = await readLedger(companyId);
      const stored = new Map(
        ledger.filter(({ source }) => source === 'gateway').map((each) => [each.number, each]),
      );
      const numbers = new Set(billed.map(({ number }) => number));
      const worst = ledger.filter(({ number }) => !numbers.has(number));
      const unsettled = billed.filter(({ number }) => !stored.has(number));
      const differences = billed.flatMap(({ number, cents }) => {
        const event = stored.get(number);
        return event && event.cents !== cents ? [{ number, cents, stored: event.cents }] : [];
      });
      expect({ fault, round, differences }).toEqual({ fault, round, differences: [] });
      expect(worst.length).toBeGreaterThanOrEqual(unsettled.length);
      expect(sum(worst)).toBeGreaterThanOrEqual(sum(unsettled));
      if (fault !== 'the runner is killed') expect({ fault, worst }).toEqual({ fault, worst: [] });
      expect(sum(billed)).toBeLessThanOrEqual(CAP);
      expect(sum(ledger)).toBeLessThanOrEqual(CAP);
      found.calls += billed.length;
      found.settled += billed.length - unsettled.length;
      found.unsettled += unsettled.length;
    }
    expect(Math.max(...(await Promise.all(totals)))).toBeLessThanOrEqual(CAP);
    expect(await findViolations(harness.context.db.pool)).toEqual({});
    expect(found.settled + found.unsettled).toBe(found.calls);
    expect(found.settled).toBeGreaterThan(2 * rounds);
    if (process.env.SPEND_RUNS) process.stderr.write(`${JSON.stringify(found)}\n`);
  });
});
