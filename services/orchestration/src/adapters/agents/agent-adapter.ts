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
  /** Integer cents; null when the agent told no price. */
  costCents: number | null;
  /** For tools that count a conversation from its beginning: what it counts now, stored with the event. */
  counted?: CountedUse;
}

/** Tokens by what they cost; `input` is what was neither read from nor written to a cache. */
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

/** A conversation of a coding agent that goes on over the runs of one agent and issue. */
export interface AgentSession {
  id: string;
  /** The folder that it began in; tools find it from there alone. */
  directory: string;
  /** What cost events tell of it already. */
  counted: CountedUse;
}

/** What a run is about, for its prompt. */
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
  /** The oldest of its wakes. */
  wakes: WakeFacts[];
  /** How many are younger. */
  moreWakes: number;
}

/** One wake with what was said, by whom, and the issue that it is about. */
export interface WakeFacts {
  source: string;
  reason: string | null;
  issue: { id: string; identifier: string; title: string; status: string } | null;
  comment: string | null;
  /** Who wrote the comment. */
  author: string | null;
  payload: Record<string, unknown> | null;
}

/** Where a started child process can be found again, so that a later runner on the host can end it. */
export interface ProcessIdentity {
  pid: number;
  /** The kernel's start time of the pid: a pid alone may have been reused. */
  startedAt: string;
}

export type OutputStream = 'stdout' | 'stderr';

/** What the engine hands to an adapter for one attempt of one run. */
export interface AdapterRun<Config> {
  runId: string;
  companyId: string;
  agentId: string;
  config: Config;
  /** Which claim of the run this is: one that was handed over begins anew, with another token. */
  epoch: number;
  /** The value that the configuration's `signingSecret` names; null without one. */
  signingSecret: string | null;
  /** The agent's variables and the run's; the adapter adds PATH, HOME and LANG and nothing else. */
  environment: Readonly<Record<string, string>>;
  /** The project's primary workspace, the config's `cwd`, or a folder of the run; exists already. Empty where nothing is started. */
  workingDirectory: string;
  /** What lies elsewhere and is read from there: objects that a repository borrows. */
  readOnly?: readonly string[];
  /** Aborted by cancel, pause, a lost lease or shutdown; the adapter ends everything it started. */
  signal: AbortSignal;
  /** Raw output in order of arrival; the engine masks, caps and stores it. */
  /** What the runner sets beside them; the agent's own win. */
  ownVariables?: Readonly<Record<string, string>>;
  /** The only network that its processes have; without it that of the host. */
  network?: SandboxPolicy['network'];
  onOutput(chunk: Buffer, stream?: OutputStream): void;
  /** Null while more output can be taken, else what to wait for; who reads on meanwhile fills the memory. */
  backlog?(): Promise<void> | null;
  onUsage(usage: UsageReport): void;
  /** All that it serves, oldest first. */
  wakes: readonly WakeView[];
  /** Read when it is asked for; most adapters have no prompt. */
  facts(): Promise<RunFacts>;
  /** Null when there is none to go on with. */
  session: AgentSession | null;
  /** The conversation that this run holds, told as soon as its id is known. */
  onSession(id: string): void;
  /** Awaited before the first output is read, so that the identity is stored before work begins. */
  onStarted(identity: ProcessIdentity): Promise<void>;
}

export type AdapterOutcome =
  | { status: 'succeeded'; exitCode: number | null }
  /** `transient` failures are retried as new runs (docs/contract.md, "Failed runs"); `retryAfterMs` when the peer said so. */
  | {
      status: 'failed';
      exitCode: number | null;
      errorCode: string;
      error: string;
      transient: boolean;
      retryAfterMs?: number;
    }
  /** The agent goes on elsewhere and reports the end itself, within this time. */
  | { status: 'accepted'; withinMs: number }
  | { status: 'timed_out'; exitCode: number | null; errorCode: string; error: string }
  /** The signal ended it; the engine knows why. */
  | { status: 'aborted'; exitCode: number | null };

/** What an adapter may look at for a check; nothing of it belongs to a run. */
export interface AdapterLook<Config> {
  companyId: string;
  agentId: string;
  config: Config;
  /** The `env` of the configuration, secrets and all; what it shows up in is masked. */
  environment: Readonly<Record<string, string>>;
  /** The value that the configuration's `signingSecret` names; null without one that can be had. */
  signingSecret: string | null;
  /** The config's `cwd`, or a folder of the operator's; exists already. */
  workingDirectory: string;
  readOnly?: readonly string[];
  signal: AbortSignal;
}

/** What is known of an adapter wherever agents are configured; nothing of it starts or calls anything. */
export interface AdapterDefinition<Config = unknown> {
  readonly type: string;
  /** How people call it, and what it does; a type that is for tests has none. */
  readonly label?: string;
  readonly description?: string;
  /** Its runs start processes, so that a runner executes them, and no worker. */
  readonly startsProcesses?: boolean;
  /** Its runs begin with a prompt, made of what they are about. */
  readonly hasPrompt?: boolean;
  /** Its runs go on with the conversation of the run before. */
  readonly keepsSessions?: boolean;
  /** True where the work is done elsewhere, so that no workspace is prepared for it. */
  readonly isRemote?: boolean;
  /** Strict; what it does not name is refused at write time. */
  readonly configSchema: z.ZodType<Config>;
  /** What the operator's settings forbid a company of a configuration that fits the schema. */
  forbids?(config: Config, companyId: string): { field: string; text: string } | null;
  /** What keeps a configuration that fits the schema from running, as far as the settings alone tell. */
  warnings?(config: Config, companyId: string): AgentWarning[];
  /** What `env` may name, where it reaches a process of this host. */
  readonly allowedVariables?: AllowedVariables;
}

/** What executes the runs of an adapter. */
export interface AdapterExecution<Config = unknown> {
  readonly type: string;
  /** Never throws for a failure of the agent; a throw is a defect and ends the run as `adapter_error`. */
  run(run: AdapterRun<Config>): Promise<AdapterOutcome>;
  /** Whether what its runs start is on this host, without starting it; absent where nothing is started. */
  findProgram?(): Promise<{ found: boolean; message: string }>;
  /** Looks whether a run could begin, in little time and without an effect. What it throws becomes a finding. */
  check?(look: AdapterLook<Config>): Promise<Finding[]>;
}

/** One that is executed where it is known: it calls others and starts nothing. */
export type AgentAdapter<Config = unknown> = AdapterDefinition<Config> & AdapterExecution<Config>;

/** As a registry has it: without `run` where a runner executes it. */
export type KnownAdapter<Config = unknown> = AdapterDefinition<Config> &
  Partial<AdapterExecution<Config>>;
