import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import type { AdapterRun, ProcessIdentity, UsageReport } from '../src/agents/agent-adapter';

export interface RecordedRun<Config> extends AdapterRun<Config> {
  usage: UsageReport[];
  started: ProcessIdentity[];
  sessions: string[];
  abort(): void;
  output(): string;
  seen(text: string): Promise<void>;
}

export function recordRun<Config>(
  config: Config,
  overrides: Partial<AdapterRun<Config>> = {},
): RecordedRun<Config> {
  const chunks: Buffer[] = [];
  const arrivals = new EventEmitter();
  const controller = new AbortController();
  const runId = randomUUID();
  const run: RecordedRun<Config> = {
    runId,
    companyId: randomUUID(),
    agentId: randomUUID(),
    config,
    epoch: 1,
    signingSecret: null,
    environment: { SERVICE_RUN_ID: runId, SERVICE_API_KEY: randomUUID() },
    workingDirectory: tmpdir(),
    signal: controller.signal,
    usage: [],
    started: [],
    sessions: [],
    session: null,
    onSession: (id) => run.sessions.push(id),
    wakes: [],
    facts: async () => ({
      agent: { name: 'Ada', role: 'engineer', title: null, capabilities: null },
      company: { name: 'Acme' },
      issue: null,
      wakes: [],
      moreWakes: 0,
    }),
    onOutput(chunk) {
      chunks.push(chunk);
      arrivals.emit('output');
    },
    onUsage: (report) => run.usage.push(report),
    onStarted: async (identity) => {
      run.started.push(identity);
    },
    abort: () => controller.abort(),
    output: () => Buffer.concat(chunks).toString('utf8'),
    async seen(text) {
      while (!run.output().includes(text)) await once(arrivals, 'output');
    },
  };
  return Object.assign(run, overrides);
}
