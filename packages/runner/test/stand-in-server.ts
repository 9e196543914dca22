import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CheckAssignment,
  type Finding,
  RUNNER_PROTOCOL,
  type RunAssignment,
  type RunnerHelloBody,
  type RunnerNextBody,
  type RunOutcome,
  reportUsageBody,
} from '@switchyard/types';

export const RUNNER_TOKEN = 'the token of the runners of the tests';

export interface StandInRun {
  assignment: RunAssignment;
  log: Buffer;
  usage: { seq: number }[];
  session: { id: string; directory: string } | null;
  outcome: RunOutcome | null;
  released: { isFault: boolean } | null;
  state: 'held' | 'cancelled' | 'lost';
  renewed: number;
}

type Fault = 'away' | 'deaf' | null;

export async function serveStandIn({ leaseMs = 1_500, heartbeatMs = 50 } = {}) {
  const runs = new Map<string, StandInRun>();
  const waiting: StandInRun[] = [];
  const checks: CheckAssignment[] = [];
  const findings = new Map<string, Finding[]>();
  const hellos: RunnerHelloBody[] = [];
  const nexts: RunnerNextBody[] = [];
  const state = {
    fault: null as Fault,
    refusal: null as string | null,
    protocol: RUNNER_PROTOCOL as number | undefined,
  };
  let wake = () => {};

  const give = (body: RunnerNextBody) => ({
    runs: waiting.splice(0, body.free).map(({ assignment }) => assignment),
    checks: checks.splice(0, body.checks),
  });
  const next = async (body: RunnerNextBody, closed: Promise<void>) => {
    nexts.push(body);
    const until = performance.now() + Math.min(body.waitMs, 2_000);
    for (;;) {
      const work = give(body);
      if (work.runs.length + work.checks.length > 0) return work;
      if (performance.now() >= until) return work;
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const isOver = await Promise.race([
        woken.then(() => false),
        closed.then(() => true),
        new Promise<boolean>((resolve) => setTimeout(resolve, 500, false)),
      ]);
      if (isOver) return { runs: [], checks: [] };
    }
  };

  const ofRun = (run: StandInRun, what: string, url: URL, body: Buffer) => {
    const read = () => JSON.parse(body.toString('utf8'));
    switch (what) {
      case 'log': {
        const offset = Number(url.searchParams.get('offset'));
        if (offset > run.log.length) {
          return [409, { error: 'a gap', code: 'conflict', details: { logBytes: run.log.length } }];
        }
        const fresh = body.subarray(Math.max(0, run.log.length - offset));
        run.log = Buffer.concat([run.log, fresh]);
        return [200, { logBytes: run.log.length }];
      }
      case 'usage': {
        const report = reportUsageBody.safeParse(read());
        if (!report.success) return [400, { error: 'no usage', code: 'validation_error' }];
        const { seq } = report.data;
        if (seq > run.usage.length + 1) return [409, { error: 'a gap', code: 'conflict' }];
        if (seq === run.usage.length + 1) run.usage.push(report.data);
        return [200, { usageSeq: run.usage.length }];
      }
      case 'reserve':
        return [200, { outcome: 'reserved', code: null, message: '' }];
      case 'settle':
        return [204, null];
      case 'session':
        run.session = read();
        return [200, {}];
      case 'end':
        run.outcome ??= read().outcome;
        return [200, {}];
      default:
        run.released ??= read();
        return [200, {}];
    }
  };

  const answer = async (
    request: IncomingMessage,
    body: Buffer,
    closed: Promise<void>,
  ): Promise<[number, unknown]> => {
    const url = new URL(request.url ?? '', 'http://stand-in');
    const json = () => JSON.parse(body.toString('utf8'));
    if (request.headers.authorization !== `Bearer ${RUNNER_TOKEN}`) {
      return [401, { error: 'no', code: 'unauthenticated' }];
    }
    const [, , , kind, id = '', what = ''] = url.pathname.split('/');
    if (kind === 'hello' && state.refusal === 'unknown_instance') state.refusal = null;
    if (state.refusal) return [409, { error: state.refusal, code: state.refusal }];
    if (kind === 'hello') {
      hellos.push(json());
      return [200, { protocol: state.protocol, leaseMs, heartbeatMs }];
    }
    if (kind === 'next') return [200, await next(json(), closed)];
    if (kind === 'leases') {
      const asked = json().runs as { runId: string }[];
      const states = asked.map(({ runId }) => {
        const run = runs.get(runId);
        if (run) run.renewed += 1;
        return { runId, state: run?.state ?? 'lost' };
      });
      return [200, { runs: states }];
    }
    if (kind === 'checks') {
      findings.set(id, json().findings);
      return [200, {}];
    }
    const run = runs.get(id);
    const isOurs = request.headers['x-run-ticket'] === run?.assignment.ticket;
    if (!run || !isOurs || run.state === 'lost') {
      return [409, { error: 'not yours', code: 'stale_ticket' }];
    }
    return ofRun(run, what, url, body) as [number, unknown];
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (state.fault === 'away') return void request.socket.destroy();
    const [status, body] = await answer(request, Buffer.concat(chunks), closed);
    if (state.fault !== null) return void request.socket.destroy();
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    state,
    hellos,
    nexts,
    findings,
    offer(spec: Partial<RunAssignment['spec']> & { config: Record<string, unknown> }): StandInRun {
      const runId = randomUUID();
      const assignment: RunAssignment = {
        runId,
        epoch: 1,
        ticket: `ticket-of-${runId}`,
        spec: {
          ...SPEC,
          environment: { SERVICE_RUN_ID: runId, SERVICE_API_KEY: `key-of-${runId}` },
          ...spec,
        },
      };
      const run: StandInRun = {
        assignment,
        log: Buffer.alloc(assignment.spec.logBytes),
        usage: [],
        session: null,
        outcome: null,
        released: null,
        state: 'held',
        renewed: 0,
      };
      runs.set(runId, run);
      waiting.push(run);
      wake();
      return run;
    },
    check(check: CheckAssignment): void {
      checks.push(check);
      wake();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type StandInServer = Awaited<ReturnType<typeof serveStandIn>>;

const SPEC: RunAssignment['spec'] = {
  companyId: randomUUID(),
  agentId: randomUUID(),
  agentName: 'Ada',
  adapterType: 'process',
  config: {},
  environment: {},
  secrets: [],
  wakes: [],
  facts: null,
  session: null,
  workspace: null,
  repositoryCredential: null,
  apiUrl: 'http://127.0.0.1:1',
  maxLogBytes: 8_388_608,
  logBytes: 0,
  attempt: 1,
  allowList: null,
};
