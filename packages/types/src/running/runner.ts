import { z } from 'zod';
import {
  cents,
  id,
  jsonObject,
  name,
  optionalText,
  pageQuery,
  text,
  timestamp,
  tokenCount,
} from '../primitives';
import { finding } from './checks';
import { wake } from './heartbeats';
import { providerCall } from './provider-call';
import { runnerLabels } from './runner-labels';
import { SPEND_CAP_SCOPES } from './spend-caps';

export const MAX_RUNNER_CAPACITY = 1_000;
export const MAX_NEXT_WAIT_MS = 25_000;
export const MAX_LOG_PART_BYTES = 1_048_576;

const MAX_INTEGER = 2_147_483_647;

export const SANDBOX_DRIVERS = ['bwrap', 'landlock', 'seatbelt', 'off'] as const;
const sandbox = z.strictObject({
  driver: z.enum(SANDBOX_DRIVERS).describe('Sandbox of the runs'),
  detail: optionalText(500).describe('Reason for the choice of the sandbox'),
});

export const runner = z.object({
  id,
  companyId: id,
  name: z.string(),
  labels: z.array(z.string()),
  createdAt: timestamp,
  lastSeenAt: timestamp.nullable(),
  instances: z
    .array(
      z.object({
        name: z.string().describe('Name of the runner process'),
        sandbox,
        capacity: z.int(),
        runs: z.int().describe('Number of runs that the process holds'),
        lastSeenAt: timestamp,
      }),
    )
    .describe('Processes that currently use the token'),
});

export const createdRunner = runner.extend({ token: z.string() });

export const createRunnerBody = z.strictObject({ name, labels: runnerLabels.default([]) });
export const listRunnersQuery = z.strictObject(pageQuery());

export const runnerHelloBody = z.strictObject({
  name: name
    .max(100)
    .describe('Unique per token; a later process with this name takes over its runs'),
  instance: id.describe('Generated at each start of the runner process'),
  labels: runnerLabels.describe(
    'For a runner of a company: all or some of the labels that the board assigned to it',
  ),
  capacity: z.int().min(1).max(MAX_RUNNER_CAPACITY),
  sandbox,
  probes: z
    .array(
      z.strictObject({ adapterType: text(64), found: z.boolean(), message: optionalText(500) }),
    )
    .max(32)
    .describe("Availability of the adapters' programs"),
});

/**
 * Increases with every change that an older server would reject or ignore. A server serves runners
 * of earlier versions, from 5 on; a runner accepts no work from an older server.
 */
export const RUNNER_PROTOCOL = 5;

export const runnerWelcome = z.object({
  protocol: z
    .int()
    .describe('Version of this protocol; a runner that requires a later version accepts no work'),
  leaseMs: z.int().describe('Lease length of a run in ms, without a renewal'),
  heartbeatMs: z.int().describe('Interval of renewals in ms, and longest delay of a cancellation'),
});

export const runnerNextBody = z.strictObject({
  instance: id,
  seq: z
    .int()
    .min(1)
    .max(MAX_INTEGER)
    .optional()
    .describe(
      'Number of the request: 1, 2, 3, … per instance. A request that arrives after one with a higher number changes nothing. If absent, the order is not checked',
    ),
  free: z.int().min(0).max(MAX_RUNNER_CAPACITY),
  running: z
    .array(id)
    .max(MAX_RUNNER_CAPACITY)
    .describe('All runs that the instance holds; its other assigned runs are released'),
  checks: z.int().min(0).max(16),
  waitMs: z.int().min(0).max(MAX_NEXT_WAIT_MS),
});

const runFacts = z.object({
  agent: z.object({
    name: z.string(),
    role: z.string(),
    title: z.string().nullable(),
    capabilities: z.string().nullable(),
  }),
  company: z.object({ name: z.string() }),
  issue: z
    .object({
      identifier: z.string(),
      title: z.string(),
      status: z.string(),
      priority: z.string(),
      description: z.string().nullable(),
    })
    .nullable(),
  wakes: z.array(
    z.object({
      source: z.string(),
      reason: z.string().nullable(),
      issue: z
        .object({ id, identifier: z.string(), title: z.string(), status: z.string() })
        .nullable(),
      comment: z.string().nullable(),
      author: z.string().nullable(),
      payload: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
  moreWakes: z.int(),
});

const countedTokens = z.strictObject({
  input: tokenCount,
  output: tokenCount,
  cacheRead: tokenCount,
  cacheWrite: tokenCount,
});
const countedDollars = z.number().min(0).max(10_000_000_000);

const countedUse = countedTokens.extend({
  dollars: countedDollars.optional(),
  models: z
    .array(countedTokens.extend({ model: text(500), dollars: countedDollars }))
    .max(50)
    .optional(),
});

const session = z.object({ id: z.string(), directory: z.string(), counted: countedUse });

const workspace = z.object({
  projectId: id,
  cwd: z.string().nullable(),
  repoUrl: z.string().nullable(),
  repoRef: z.string().nullable(),
});

export const runSpec = z.object({
  companyId: id,
  agentId: id,
  agentName: z.string(),
  adapterType: z.string(),
  config: jsonObject,
  environment: z.record(z.string(), z.string()),
  secrets: z.array(z.string()).describe('Values to mask in the output'),
  wakes: z.array(wake),
  facts: runFacts.nullable().describe('Conversation for the prompt; null if the adapter has none'),
  session: session.nullable(),
  workspace: workspace.nullable(),
  repositoryCredential: z.string().nullable(),
  apiUrl: z.string(),
  publicUrl: z.string().optional().describe('PUBLIC_URL, as another address of the same API'),
  maxLogBytes: z.int(),
  logBytes: z.int().describe('Log size of earlier attempts in bytes'),
  attempt: z.int(),
  allowList: z
    .array(z.string())
    .nullable()
    .describe('Hosts that the run may reach; null: any public host'),
});

export const runAssignment = z.object({
  runId: id,
  epoch: z.int(),
  ticket: z.string().describe('Proof of the claim, to send in X-Run-Ticket'),
  spec: runSpec,
});

export const checkAssignment = z.object({
  checkId: id,
  companyId: id,
  agentId: id,
  adapterType: z.string(),
  config: jsonObject,
  environment: z.record(z.string(), z.string()),
  secrets: z.array(z.string()),
  workspace: workspace
    .nullable()
    .describe('Workspace with a repository, to check git; null without one'),
  testedWorkspace: workspace
    .extend({ credential: z.string().nullable() })
    .optional()
    .describe("Workspace to test instead of the agent's own"),
});

export const runnerWork = z.object({
  runs: z.array(runAssignment),
  checks: z.array(checkAssignment),
});

export const redeemTicketBody = z.strictObject({
  key: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be 32 random bytes in base64url')
    .describe('Generated by the pod; replaces the ticket in X-Run-Ticket'),
});

export const redeemedTicket = runnerWelcome.extend({
  instance: id.describe('Instance id for the renewal of the lease'),
  assignment: runAssignment,
});

export const runnerLeasesBody = z.strictObject({
  instance: id,
  runs: z
    .array(z.strictObject({ runId: id, epoch: z.int().min(0).max(2_147_483_647) }))
    .max(MAX_RUNNER_CAPACITY),
});

export const LEASE_STATES = ['held', 'cancelled', 'lost'] as const;
export const runnerLeases = z.object({
  runs: z.array(z.object({ runId: id, state: z.enum(LEASE_STATES) })),
});

export const runnerFoldersBody = z.strictObject({
  runIds: z.array(id).max(MAX_RUNNER_CAPACITY),
  agentIds: z
    .array(id)
    .max(MAX_RUNNER_CAPACITY)
    .describe('Ids of agents, and of companies and projects that may have been deleted'),
});

export const runnerFolders = z.object({
  over: z
    .array(id)
    .describe(
      'Runs past their retention, agents that are terminated and idle, and everything of deleted companies',
    ),
});

export const appendRunLogQuery = z.strictObject({
  offset: z
    .string()
    .regex(/^\d{1,10}$/, 'must be a whole number of bytes')
    .transform(Number)
    .pipe(z.int().min(0).max(MAX_INTEGER))
    .describe('Byte offset of the body in the log; stored bytes are skipped'),
});
export const appendedRunLog = z.object({ logBytes: z.int() });

const usage = z.strictObject({
  provider: text(500),
  model: text(500),
  inputTokens: tokenCount,
  outputTokens: tokenCount,
  costCents: cents.nullable(),
});

export const reportUsageBody = z.strictObject({
  seq: z.int().min(1).max(MAX_INTEGER).describe('Number of the report: 1, 2, 3, … per claim'),
  source: z
    .enum(['gateway', 'agent'])
    .default('agent')
    .describe(
      "`gateway`: read from a provider's response to the operator's key; `agent`: reported by the run",
    ),
  usage: usage.extend({ counted: countedUse.optional() }),
  sessionId: text(500).nullish().describe('The conversation that `counted` belongs to'),
  call: providerCall,
});
export const reportedUsage = z.object({ usageSeq: z.int() });

export const reserveSpendBody = z.strictObject({
  id: id.describe(
    'Generated by the runner for each model call; a repeated request reserves once, and none after the settlement',
  ),
  cents: cents
    .nullable()
    .describe('The most that the call can cost; null if the model has no price'),
  provider: text(500),
  model: text(500).nullable().describe('Requested model; null if the request names none'),
});

export const reservedSpend = z.object({
  outcome: z
    .enum(['reserved', 'waits', 'refused'])
    .describe('`waits`: the call fits when earlier calls have ended and cost less than reserved'),
  code: z
    .enum([
      'agent_budget',
      'company_budget',
      ...SPEND_CAP_SCOPES.map((scope) => `${scope}_cap` as const),
      'unpriced_model',
    ])
    .nullable()
    .describe('Reason of the refusal; null otherwise'),
  message: z.string().describe('The budget or cap that the call exceeds; empty if it is reserved'),
});

export const settleSpendBody = z.strictObject({
  id: id.describe('The id of the reservation; a repeated request settles once'),
  usage: usage.nullable().describe('Real use of the call; null if it used nothing'),
  call: providerCall,
});

export const holdSessionBody = z.strictObject({ id: text(500), directory: text(4_096) });

const exitCode = z.int().min(-2_147_483_648).max(2_147_483_647).nullable();
const errorCode = z.string().regex(/^[a-z0-9_]{1,64}$/, 'must be an error code');
const error = optionalText(20_000);

/** `aborted`: the runner ended the run. `paused`: its last model call did not fit into a budget. */
export const runOutcome = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('succeeded'), exitCode }),
  z.strictObject({
    status: z.literal('failed'),
    exitCode,
    errorCode,
    error,
    transient: z.boolean(),
    retryAfterMs: z
      .int()
      .min(0)
      .max(30 * 86_400_000)
      .optional(),
  }),
  z.strictObject({ status: z.literal('timed_out'), exitCode, errorCode, error }),
  z.strictObject({ status: z.literal('aborted'), exitCode }),
  z.strictObject({ status: z.literal('paused'), exitCode, error }),
]);

export const endRunBody = z.strictObject({ outcome: runOutcome });
export const releaseRunBody = z.strictObject({
  isFault: z
    .boolean()
    .describe('True: counts as an attempt, because the run may have crashed the runner'),
});

const MAX_FINDINGS = 64;
const reportedFinding = z.strictObject({
  level: finding.shape.level,
  code: z.string().regex(/^[a-z0-9_]{1,64}$/, 'must contain only a-z, 0-9 and _'),
  message: optionalText(4_000),
  details: jsonObject.optional(),
});
export const reportCheckBody = z.strictObject({
  findings: z.array(reportedFinding).max(MAX_FINDINGS),
});

export const RUN_TICKET_HEADER = 'X-Run-Ticket';

export type RunnerView = z.infer<typeof runner>;
export type CreatedRunnerView = z.infer<typeof createdRunner>;
export type CreateRunnerBody = z.infer<typeof createRunnerBody>;
export type ListRunnersQuery = z.infer<typeof listRunnersQuery>;
export type RunnerHelloBody = z.infer<typeof runnerHelloBody>;
export type RunnerWelcome = z.infer<typeof runnerWelcome>;
export type RunnerNextBody = z.infer<typeof runnerNextBody>;
export type RunnerWork = z.infer<typeof runnerWork>;
export type RunSpec = z.infer<typeof runSpec>;
export type RunAssignment = z.infer<typeof runAssignment>;
export type CheckAssignment = z.infer<typeof checkAssignment>;
export type RedeemTicketBody = z.infer<typeof redeemTicketBody>;
export type RedeemedTicketView = z.infer<typeof redeemedTicket>;
export type RunnerLeasesBody = z.infer<typeof runnerLeasesBody>;
export type RunnerLeasesView = z.infer<typeof runnerLeases>;
export type RunnerFoldersBody = z.infer<typeof runnerFoldersBody>;
export type RunnerFoldersView = z.infer<typeof runnerFolders>;
export type LeaseState = (typeof LEASE_STATES)[number];
export type AppendRunLogQuery = z.infer<typeof appendRunLogQuery>;
export type AppendedRunLogView = z.infer<typeof appendedRunLog>;
export type ReportUsageBody = z.infer<typeof reportUsageBody>;
export type ReportedUsageView = z.infer<typeof reportedUsage>;
export type ReserveSpendBody = z.infer<typeof reserveSpendBody>;
export type ReservedSpendView = z.infer<typeof reservedSpend>;
export type SettleSpendBody = z.infer<typeof settleSpendBody>;
export type HoldSessionBody = z.infer<typeof holdSessionBody>;
export type RunOutcome = z.infer<typeof runOutcome>;
export type EndRunBody = z.infer<typeof endRunBody>;
export type ReleaseRunBody = z.infer<typeof releaseRunBody>;
export type ReportCheckBody = z.infer<typeof reportCheckBody>;
