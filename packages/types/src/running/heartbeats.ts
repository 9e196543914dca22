import { z } from 'zod';
import {
  cents,
  commaList,
  id,
  jsonObjectUpTo,
  pageQuery,
  queryTime,
  searchText,
  text,
  timestamp,
  tokenCount,
} from '../primitives';
import { ISSUE_STATUSES } from '../work/issues';
import { callbackFields, callbackState } from './callbacks';
import { blockingLimit } from './run-limits';

export const RUN_STATUSES = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
] as const;
export const RUN_SOURCES = [
  'manual',
  'mention',
  'routine',
  'approval',
  'assignment',
  'retry',
] as const;

export const WAITS_FOR = [
  'retry_time',
  'agent',
  'agent_fetch',
  'agent_stopped',
  'company_limit',
  'limit',
  'worker',
] as const;

export type WaitsFor = (typeof WAITS_FOR)[number];

export const waitsFor = z
  .enum(WAITS_FOR)
  .describe(
    '`retry_time`: the start time of the retry; `agent`: a slot of its agent; `agent_fetch`: a fetch by its external agent; `agent_stopped`: the resume of its agent or company; `company_limit`: the end of another run of the company; `limit`: a place under a limit of one of its keys; `worker`: a free worker or runner',
  );

export const queuePosition = z
  .int()
  .min(1)
  .nullable()
  .describe(
    "Place in the order in which the company's waiting runs start, counting runs whose agent is busy; null unless it waits for `worker`, `limit` or `company_limit`",
  );

export type RunStatus = (typeof RUN_STATUSES)[number];
export type RunSource = (typeof RUN_SOURCES)[number];

export const wakeReason = z.object({
  source: z.enum(RUN_SOURCES),
  reason: z.string().nullable(),
  issueId: id.nullable(),
  commentId: id.nullable(),
  payload: z.record(z.string(), z.unknown()).nullable(),
  at: timestamp,
});

export const wake = z.object({
  source: z.enum(RUN_SOURCES),
  reason: z.string().nullable(),
  issueId: id.nullable(),
  identifier: z.string().nullable(),
  title: z.string().nullable(),
  issueStatus: z.enum(ISSUE_STATUSES).nullable(),
  commentId: id.nullable(),
  approvalId: id.nullable(),
  payload: z.record(z.string(), z.unknown()).nullable(),
  at: timestamp,
});

export const heartbeatRun = z.object({
  id,
  companyId: id,
  agentId: id,
  status: z.enum(RUN_STATUSES),
  source: z.enum(RUN_SOURCES),
  wakeReasons: z.array(wakeReason),
  issueId: id.nullable(),
  routineRunId: id.nullable(),
  retryOfRunId: id.nullable(),
  retriedByRunId: id.nullable().describe('The retry of this run'),
  attempt: z.int(),
  notBefore: timestamp.nullable().describe('Earliest start of a retry; null for other runs'),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  exitCode: z.int().nullable(),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  /** Events without a price are counted in `unpricedEvents` and add nothing to `costCents`. */
  usage: z.object({
    inputTokens: tokenCount,
    outputTokens: tokenCount,
    costCents: cents,
    unpricedEvents: z.int(),
  }),
  logBytes: z.int(),
  createdAt: timestamp,
});

export const heartbeatRunDetail = heartbeatRun.extend({
  wakes: z.array(wake),
  agentName: z.string(),
  adapterType: z.string().describe("The agent's current adapter"),
  issue: z
    .object({
      id,
      identifier: z.string(),
      title: z.string(),
      status: z.enum(ISSUE_STATUSES),
    })
    .nullable(),
  reason: z.string().describe('Reason of the first wake, or else its source'),
  waitsFor: waitsFor
    .nullable()
    .describe('Reason why a queued run has not started; null for other runs'),
  queuePosition,
  limit: blockingLimit,
  expectedStartAt: timestamp
    .nullable()
    .describe(
      "Start time of a retry, or an estimate from `queuePosition` and the company's starts in the last hour; null if there were fewer than 10",
    ),
  callback: callbackState,
  retriedAs: z
    .object({ id, status: z.enum(RUN_STATUSES) })
    .nullable()
    .describe('The latest retry of this run'),
});

/** The payload is limited, because it is passed in one environment variable. */
const wakePayload = jsonObjectUpTo(16_384);

export const invokeHeartbeatBody = z
  .strictObject({ reason: text(500), issueId: id, payload: wakePayload, ...callbackFields })
  .partial();

export const finishRunBody = z
  .strictObject({
    status: z.enum(['succeeded', 'failed']),
    summary: text(10_000).optional(),
    error: text(2_000).optional(),
    usage: z
      .strictObject({
        provider: text(100),
        model: text(200),
        inputTokens: tokenCount,
        outputTokens: tokenCount,
        costCents: cents.nullish(),
      })
      .optional(),
  })
  .refine(({ status, error }) => status === 'failed' || error === undefined, {
    path: ['error'],
    message: 'is only valid with the status failed',
  });

export const fetchWakesQuery = z.strictObject({
  wait: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a whole number of seconds')
    .transform(Number)
    .pipe(z.int().max(30))
    .default(0)
    .describe('Seconds to wait for a wake, 0 to 30'),
});

export const fetchedRun = z.object({
  runId: id,
  runToken: z.string(),
  companyId: id,
  agentId: id,
  issueId: id.nullable(),
  projectId: id.nullable(),
  wakes: z.array(wake),
  variables: z
    .record(z.string(), z.string())
    .describe(
      'Environment that a runner would set for a program, without SERVICE_API_URL and SERVICE_API_KEY',
    ),
  endsAt: timestamp,
});

const errorWord = z.string().regex(/^[a-z0-9_]{1,64}$/, 'must be an error code');

export const listRunsQuery = z.strictObject({
  ...pageQuery(50),
  agentId: id.optional(),
  issueId: id.optional(),
  status: commaList(RUN_STATUSES).optional(),
  source: commaList(RUN_SOURCES).optional(),
  errorCode: z
    .string()
    .max(500)
    .transform((list) => list.split(','))
    .pipe(z.array(errorWord))
    .optional()
    .describe('Error codes, separated by commas'),
  createdAfter: queryTime.optional(),
  createdBefore: queryTime.optional(),
  retried: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: only runs that were retried; `false`: only runs that were not'),
  wakeupId: id
    .optional()
    .describe('Lists the run that serves this wake; the list is empty until that run exists'),
});

const MOST_RUNS = 100;

function runsBody<const Statuses extends readonly [RunStatus, ...RunStatus[]]>(statuses: Statuses) {
  const filter = z
    .strictObject({
      agentId: id,
      issueId: id,
      status: z.array(z.enum(statuses)).min(1).max(RUN_STATUSES.length),
      source: z.array(z.enum(RUN_SOURCES)).min(1).max(RUN_SOURCES.length),
      errorCode: z.array(errorWord).min(1).max(20),
      createdAfter: queryTime,
      createdBefore: queryTime,
    })
    .partial();
  return z
    .strictObject({
      runIds: z.array(id).min(1).max(MOST_RUNS).optional(),
      filter: filter
        .optional()
        .describe('The filters of the list of runs; {} matches all runs that can be changed'),
      dryRun: z.boolean().default(false).describe('True: only counts the matching runs'),
      limit: z.int().min(1).max(MOST_RUNS).default(MOST_RUNS),
      cursor: z.string().max(500).optional().describe('nextCursor of the previous response'),
    })
    .refine(({ runIds, filter }) => (runIds === undefined) !== (filter === undefined), {
      path: ['filter'],
      message: 'send either runIds or filter',
    })
    .refine(({ runIds, cursor }) => runIds === undefined || cursor === undefined, {
      path: ['cursor'],
      message: 'is only valid with filter',
    });
}

export const CANCELLABLE = ['queued', 'running'] as const;
export const RETRYABLE = ['failed', 'timed_out', 'cancelled'] as const;

export const cancelRunsBody = runsBody(CANCELLABLE);
export const retryRunsBody = runsBody(RETRYABLE);

const batch = {
  count: z.int().nullable().describe('Number of matches in a dry run; otherwise null'),
  refused: z.array(
    z.object({
      runId: id,
      code: z.string().describe('An error code, or `already_retried`, or `waiting_run_full`'),
      message: z.string(),
    }),
  ),
  nextCursor: z.string().nullable().describe('The `cursor` of the next request; null at the end'),
};

export const cancelledRuns = z.object({
  cancelled: z.array(
    z.object({
      runId: id,
      status: z.enum(RUN_STATUSES).describe('`running` until the processes of the run have ended'),
    }),
  ),
  ...batch,
});

export const retriedRuns = z.object({
  retried: z.array(
    z.object({
      runId: id,
      byRunId: id.describe('The run that retries this run; one run may retry several runs'),
    }),
  ),
  ...batch,
});

const byteCount = (max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be a whole number of bytes')
    .transform(Number)
    .pipe(z.int().min(0).max(max));

const MAX_OFFSET = 2_147_483_647;
const MAX_SLICE = 1_048_576;

export const runLogQuery = z.strictObject({
  offset: byteCount(MAX_OFFSET).default(0),
  limit: byteCount(MAX_SLICE).pipe(z.int().min(16)).default(65_536),
  tail: byteCount(MAX_SLICE)
    .pipe(z.int().min(16))
    .optional()
    .describe('Number of last bytes to return; offset and limit are then ignored'),
});

export const runLog = z.object({
  runId: id,
  offset: z.int(),
  nextOffset: z.int(),
  content: z.string(),
  eof: z.boolean(),
  size: z.int().describe('Size of the whole log in bytes'),
});

export const streamRunLogQuery = z.strictObject({
  from: byteCount(MAX_OFFSET).default(0).describe('Byte offset to begin at'),
  tail: byteCount(MAX_OFFSET)
    .optional()
    .describe('Number of bytes before the end at which to begin; `from` is then ignored'),
});

/** Event `log`: a part of the output. Its event id is `nextOffset`. */
export const runLogPart = z.object({ offset: z.int(), nextOffset: z.int(), content: z.string() });

/** Event `ended`: the run has ended and its whole log has been sent. */
export const runLogEnd = z.object({
  status: z.enum(RUN_STATUSES),
  finishedAt: timestamp.nullable(),
  exitCode: z.int().nullable(),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  size: z.int(),
});

export const runLogEvents = { log: runLogPart, ended: runLogEnd };

export const searchRunLogQuery = z.strictObject({
  q: searchText
    .optional()
    .describe('Literal text; the case of A to Z is ignored. Without this text, nothing is found'),
  offset: byteCount(MAX_OFFSET).default(0).describe('Byte offset to begin at'),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 500')
    .transform(Number)
    .pipe(z.int().min(1).max(500))
    .default(100),
});

export const runLogSearch = z.object({
  runId: id,
  matches: z.array(
    z.object({
      offset: z.int().describe('Byte offset of the match'),
      before: z.string().describe('Text before the match in its line, shortened'),
      match: z.string(),
      after: z.string(),
    }),
  ),
  nextOffset: z.int().describe('Offset at which to continue the search'),
  complete: z.boolean().describe('True if the stored log ends at nextOffset'),
  size: z.int().describe('Size of the whole log in bytes'),
});

export type WakeReason = z.infer<typeof wakeReason>;
export type WakeView = z.infer<typeof wake>;
export type HeartbeatRunView = z.infer<typeof heartbeatRun>;
export type HeartbeatRunDetailView = z.infer<typeof heartbeatRunDetail>;
export type InvokeHeartbeatBody = z.infer<typeof invokeHeartbeatBody>;
export type FinishRunBody = z.infer<typeof finishRunBody>;
export type FetchWakesQuery = z.infer<typeof fetchWakesQuery>;
export type FetchedRunView = z.infer<typeof fetchedRun>;
export type CancelRunsBody = z.infer<typeof cancelRunsBody>;
export type RetryRunsBody = z.infer<typeof retryRunsBody>;
export type CancelledRunsView = z.infer<typeof cancelledRuns>;
export type RetriedRunsView = z.infer<typeof retriedRuns>;
export type ListRunsQuery = z.infer<typeof listRunsQuery>;
export type RunLogPart = z.infer<typeof runLogPart>;
export type RunLogEnd = z.infer<typeof runLogEnd>;
export type StreamRunLogQuery = z.infer<typeof streamRunLogQuery>;
export type SearchRunLogQuery = z.infer<typeof searchRunLogQuery>;
export type RunLogSearchView = z.infer<typeof runLogSearch>;
export type RunLogView = z.infer<typeof runLog>;
