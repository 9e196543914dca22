import type { SandboxPolicy } from '@switchyard/sandbox';
import type { AgentWarning, Finding, WakeView } from '@switchyard/types';
import type { z } from 'zod';
import type { AllowedVariables } from './environment/agent-variables';

/** Token usage that an adapter reports while it runs; becomes one cost event. */
export interface UsageReport {
  provider: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** Integer cents; null if the agent reported no price. */
  costCents: number | null;
  /** Running totals of the conversation, stored with the event. */
  counted?: CountedUse;
}

/** `input` excludes tokens that were read from or written to a cache. */
export interface TokenCounts {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** Running totals of a conversation, counted by the tool from its beginning. Only some tools count `models` and `dollars`. */
export interface CountedUse extends TokenCounts {
  dollars?: number;
  models?: ModelCount[];
}

export interface ModelCount extends TokenCounts {
  model: string;
  dollars: number;
}

/** A coding agent's conversation, continued over the runs of one agent and issue. */
export interface AgentSession {
  id: string;
  /** Tools only find a conversation from the folder where it began. */
  directory: string;
  /** Totals that cost events contain already. */
  counted: CountedUse;
}

export interface RunFacts {
  agent: { name: string; role: string; title: string | null; capabilities: string | null };
  company: { name: string };
  issue: {
    identifier: string;
    title: string;
    status: string;
    priority: string;
    description: string | null;
  } | null;
  wakes: WakeFacts[];
  /** Number of wakes that were left out. */
  moreWakes: number;
}

export interface WakeFacts {
  source: string;
  reason: string | null;
  issue: { id: string; identifier: string; title: string; status: string } | null;
  comment: string | null;
  author: string | null;
  payload: Record<string, unknown> | null;
}

/** Identifies a child process, so that a later runner on the host can end it. */
export interface ProcessIdentity {
  pid: number;
  /** The kernel's start time: a pid alone may have been reused. */
  startedAt: string;
}

export type OutputStream = 'stdout' | 'stderr';

export interface AdapterRun<Config> {
  runId: string;
  companyId: string;
  agentId: string;
  config: Config;
  /** Number of this claim; a run that was handed over starts again with another token. */
  epoch: number;
  /** Value of the configured `signingSecret`; null without one. */
  signingSecret: string | null;
  /** The adapter adds only PATH, HOME and LANG. */
  environment: Readonly<Record<string, string>>;
  /** Exists already; empty where nothing is started. */
  workingDirectory: string;
  /** Folders to read in addition, such as objects that a repository borrows. */
  readOnly?: readonly string[];
  /**
   * Aborted by cancel, pause, a lost lease or shutdown; the adapter then ends everything it
   * started.
   */
  signal: AbortSignal;
  /** Raw output in order; the engine masks, caps and stores it. */
  /** Variables that the runner adds; the agent's own win. */
  ownVariables?: Readonly<Record<string, string>>;
  network?: SandboxPolicy['network'];
  onOutput(chunk: Buffer, stream?: OutputStream): void;
  /** Null while more output can be stored, otherwise a promise to wait for. */
  backlog?(): Promise<void> | null;
  onUsage(usage: UsageReport): void;
  wakes: readonly WakeView[];
  facts(): Promise<RunFacts>;
  /** Null without a conversation to continue. */
  session: AgentSession | null;
  onSession(id: string): void;
  /** Awaited before the first output is read, so that the identity is stored before work begins. */
  onStarted(identity: ProcessIdentity): Promise<void>;
}

export type AdapterOutcome =
  | { status: 'succeeded'; exitCode: number | null }
  /** `transient` failures are retried as new runs (docs/contract.md, "Failed runs"). */
  | {
      status: 'failed';
      exitCode: number | null;
      errorCode: string;
      error: string;
      transient: boolean;
      retryAfterMs?: number;
    }
  /** The agent continues elsewhere and reports the end itself within this time. */
  | { status: 'accepted'; withinMs: number }
  | { status: 'timed_out'; exitCode: number | null; errorCode: string; error: string }
  /** Ended by the signal; the engine knows the reason. */
  | { status: 'aborted'; exitCode: number | null };

export interface CheckInput<Config> {
  companyId: string;
  agentId: string;
  config: Config;
  /** Contains decrypted secrets, which are masked in results. */
  environment: Readonly<Record<string, string>>;
  signingSecret: string | null;
  /** Exists already. */
  workingDirectory: string;
  readOnly?: readonly string[];
  signal: AbortSignal;
}

export interface AdapterDefinition<Config = unknown> {
  readonly type: string;
  readonly label?: string;
  readonly description?: string;
  readonly startsProcesses?: boolean;
  readonly hasPrompt?: boolean;
  readonly keepsSessions?: boolean;
  /** The work is done elsewhere, so no workspace is prepared. */
  readonly isRemote?: boolean;
  readonly configSchema: z.ZodType<Config>;
  /** Returns what the operator's settings forbid in a valid configuration. */
  forbids?(config: Config, companyId: string): { field: string; text: string } | null;
  /** Returns what would keep a valid configuration from running, judged by the settings only. */
  warnings?(config: Config, companyId: string): AgentWarning[];
  readonly allowedVariables?: AllowedVariables;
}

export interface AdapterExecution<Config = unknown> {
  readonly type: string;
  /**
   * Never throws for a failure of the agent; a throw is a defect and ends the run as
   * `adapter_error`.
   */
  run(run: AdapterRun<Config>): Promise<AdapterOutcome>;
  findProgram?(): Promise<{ found: boolean; message: string }>;
  /** Must be quick and have no effect. A throw becomes a finding. */
  check?(look: CheckInput<Config>): Promise<Finding[]>;
}

export type AgentAdapter<Config = unknown> = AdapterDefinition<Config> & AdapterExecution<Config>;

/** Without `run` if a runner executes it. */
export type KnownAdapter<Config = unknown> = AdapterDefinition<Config> &
  Partial<AdapterExecution<Config>>;
