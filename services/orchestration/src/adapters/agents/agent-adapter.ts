import type { z } from 'zod';

/** Token usage that an adapter reports while it runs; becomes one cost event (contract 11). */
export interface UsageReport {
  provider: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** Integer cents; null when the agent told no price. */
  costCents: number | null;
}

/** Where a started child process can be found again, so that another worker on the host can end it. */
export interface ProcessIdentity {
  pid: number;
  /** The kernel's start time of the pid: a pid alone may have been reused. */
  startedAt: string;
}

/** What the engine hands to an adapter for one attempt of one run. */
export interface AdapterRun<Config> {
  runId: string;
  companyId: string;
  agentId: string;
  config: Config;
  /** Complete: the adapter adds nothing but PATH, HOME and LANG (guarantee G23). */
  environment: Readonly<Record<string, string>>;
  /** The project's primary workspace, the config's `cwd`, or a folder of the run; exists already. */
  workingDirectory: string;
  /** Aborted by cancel, pause, a lost lease or shutdown; the adapter ends everything it started. */
  signal: AbortSignal;
  /** Raw output in order of arrival; the engine masks, caps and stores it. */
  onOutput(chunk: Buffer): void;
  onUsage(usage: UsageReport): void;
  /** Awaited before the first output is read, so that the identity is stored before work begins. */
  onStarted(identity: ProcessIdentity): Promise<void>;
}

export type AdapterOutcome =
  | { status: 'succeeded'; exitCode: number | null }
  /** `transient` failures are retried as new runs (contract 16); `retryAfterMs` when the peer said so. */
  | {
      status: 'failed';
      exitCode: number | null;
      errorCode: string;
      error: string;
      transient: boolean;
      retryAfterMs?: number;
    }
  | { status: 'timed_out'; exitCode: number | null; errorCode: string; error: string }
  /** The signal ended it; the engine knows why. */
  | { status: 'aborted'; exitCode: number | null };

export interface AgentAdapter<Config = unknown> {
  readonly type: string;
  /** Strict; what it does not name is refused at write time (guarantee G24). */
  readonly configSchema: z.ZodType<Config>;
  /** Never throws for a failure of the agent; a throw is a defect and ends the run as `adapter_error`. */
  run(run: AdapterRun<Config>): Promise<AdapterOutcome>;
}
