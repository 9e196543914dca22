import type { SandboxPolicy } from '@switchyard/sandbox';
import type { AgentWarning, Finding, WakeView } from '@switchyard/types';
import type { z } from 'zod';
import type { AllowedVariables } from './environment/agent-variables';

export interface UsageReport {
  provider: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  costCents: number | null;
  counted?: CountedUse;
}

export interface ProviderCall {
  server: string;
  durationMs: number;
  failure?: { provider: string; model: string | null; type: string };
}

export interface TokenCounts {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface CountedUse extends TokenCounts {
  dollars?: number;
  models?: ModelCount[];
}

interface ModelCount extends TokenCounts {
  model: string;
  dollars: number;
}

/** A coding agent's conversation, which later runs of the same agent and issue continue. */
export interface AgentSession {
  id: string;
  /** Tools only find a conversation if they start in the folder where it began. */
  directory: string;
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

export interface ProcessIdentity {
  pid: number;
  /** The process's start time from the kernel, because the pid may be reused. */
  startedAt: string;
}

export type OutputStream = 'stdout' | 'stderr';

export interface AdapterRun<Config> {
  runId: string;
  companyId: string;
  agentId: string;
  config: Config;
  /**
   * Number of this claim. A worker that takes over a run starts it again with a new number and
   * another token.
   */
  epoch: number;
  signingSecret: string | null;
  /** The adapter adds only PATH, HOME and LANG. */
  environment: Readonly<Record<string, string>>;
  workingDirectory: string;
  readOnly?: readonly string[];
  /**
   * Aborted on cancel, pause, a lost lease or shutdown. The adapter then ends all processes that it
   * started.
   */
  signal: AbortSignal;
  ownVariables?: Readonly<Record<string, string>>;
  network?: SandboxPolicy['network'];
  onOutput(chunk: Buffer, stream?: OutputStream): void;
  /** Null while more output can be stored; otherwise a promise that resolves once there is room. */
  backlog?(): Promise<void> | null;
  onUsage(usage: UsageReport): void;
  wakes: readonly WakeView[];
  facts(): Promise<RunFacts>;
  session: AgentSession | null;
  onSession(id: string): void;
  /**
   * The adapter awaits this call before it reads output, so that the identity is stored before work
   * begins.
   */
  onStarted(identity: ProcessIdentity): Promise<void>;
}

export type AdapterOutcome =
  | { status: 'succeeded'; exitCode: number | null }
  | {
      status: 'failed';
      exitCode: number | null;
      errorCode: string;
      error: string;
      transient: boolean;
      retryAfterMs?: number;
    }
  /**
   * The agent continues outside Switchyard, and must report the end of the run within this time in
   * ms.
   */
  | { status: 'accepted'; withinMs: number }
  | { status: 'timed_out'; exitCode: number | null; errorCode: string; error: string }
  | { status: 'aborted'; exitCode: number | null };

export interface CheckInput<Config> {
  companyId: string;
  agentId: string;
  config: Config;
  environment: Readonly<Record<string, string>>;
  signingSecret: string | null;
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
  readonly isRemote?: boolean;
  readonly configSchema: z.ZodType<Config>;
  forbids?(config: Config, companyId: string): { field: string; text: string } | null;
  warnings?(config: Config, companyId: string): AgentWarning[];
  readonly allowedVariables?: AllowedVariables;
}

export interface AdapterExecution<Config = unknown> {
  readonly type: string;
  /**
   * Reports a failure of the agent as an outcome. An exception is a bug, and ends the run as
   * `adapter_error`.
   */
  run(run: AdapterRun<Config>): Promise<AdapterOutcome>;
  findProgram?(): Promise<{ found: boolean; message: string }>;
  /** Must be fast and without side effects. An exception becomes a finding. */
  check?(input: CheckInput<Config>): Promise<Finding[]>;
}

export type AgentAdapter<Config = unknown> = AdapterDefinition<Config> & AdapterExecution<Config>;

export type KnownAdapter<Config = unknown> = AdapterDefinition<Config> &
  Partial<AdapterExecution<Config>>;
