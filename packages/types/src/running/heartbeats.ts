import { z } from 'zod';
import {
  cents,
  commaList,
  id,
  jsonObject,
  pageQuery,
  text,
  timestamp,
  tokenCount,
} from '../primitives';
import { ISSUE_STATUSES } from '../work/issues';

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

export type RunStatus = (typeof RUN_STATUSES)[number];
export type RunSource = (typeof RUN_SOURCES)[number];

/** One wake that a run serves; a run that waits collects those that arrive meanwhile. */
export const wakeReason = z.object({
  source: z.enum(RUN_SOURCES),
  reason: z.string().nullable(),
  issueId: id.nullable(),
  commentId: id.nullable(),
  payload: z.record(z.string(), z.unknown()).nullable(),
  at: timestamp,
});

/** One wake as its run is told of it, with the issue that it is about as that is called now. */
export const wake = z.object({
  source: z.enum(RUN_SOURCES),
  reason: z.string().nullable(),
  issueId: id.nullable(),
  identifier: z.string().nullable(),
  title: z.string().nullable(),
  /** Of the issue when the run began, or now where the run is read: of one that is done or cancelled it says so. */
  issueStatus: z.enum(ISSUE_STATUSES).nullable(),
  commentId: id.nullable(),
  /** Of the decision that the agent is woken for. */
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
  attempt: z.int(),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  exitCode: z.int().nullable(),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  /** Usage that told no price is counted in `unpricedEvents`; its cost is not part of `costCents`. */
  usage: z.object({
    inputTokens: tokenCount,
    outputTokens: tokenCount,
    costCents: cents,
    unpricedEvents: z.int(),
  }),
  logBytes: z.int(),
  createdAt: timestamp,
});

/** `wakes` are all that the run serves, oldest first. */
export const heartbeatRunDetail = heartbeatRun.extend({
  wakes: z.array(wake),
  agentName: z.string(),
  issue: z
    .object({
      id,
      identifier: z.string(),
      title: z.string(),
      status: z.enum(ISSUE_STATUSES),
    })
    .nullable(),
  reason: z.string().describe('Why it was woken first: the reason given, or else the source'),
  notBefore: timestamp.nullable().describe('Of a retry, when it may start'),
  retriedAs: z
    .object({ id, status: z.enum(RUN_STATUSES) })
    .nullable()
    .describe('The latest run that tries the same again'),
});

/** It travels in one environment variable of a process, and waits in the run until then. */
const MAX_WAKE_PAYLOAD_CHARACTERS = 16_384;
const wakePayload = jsonObject.refine(
  (value) => JSON.stringify(value).length <= MAX_WAKE_PAYLOAD_CHARACTERS,
  `must be at most ${MAX_WAKE_PAYLOAD_CHARACTERS} characters of JSON`,
);

export const invokeHeartbeatBody = z
  .strictObject({ reason: text(500), issueId: id, payload: wakePayload })
  .partial();

/** What an agent that works elsewhere reports at the end. */
export const finishRunBody = z
  .strictObject({
    status: z.enum(['succeeded', 'failed']),
    /** Kept at the end of the run's log. */
    summary: text(10_000).optional(),
    /** Why it failed; the agent shows it until a run succeeds. */
    error: text(2_000).optional(),
    usage: z
      .strictObject({
        provider: text(100),
        model: text(200),
        inputTokens: tokenCount,
        outputTokens: tokenCount,
        /** Left out where the price is not known. */
        costCents: cents.nullish(),
      })
      .optional(),
  })
  .refine(({ status, error }) => status === 'failed' || error === undefined, {
    path: ['error'],
    message: 'belongs to the status failed',
  });

export const fetchWakesQuery = z.strictObject({
  wait: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a whole number of seconds')
    .transform(Number)
    .pipe(z.int().max(30))
    .default(0)
    .describe('Seconds to wait for a wake when none is there, 0 to 30'),
});

/** A run that an external agent has fetched: it is running. */
export const fetchedRun = z.object({
  runId: id,
  /** The credential of this run: `Authorization: Bearer …`. */
  runToken: z.string(),
  companyId: id,
  agentId: id,
  issueId: id.nullable(),
  projectId: id.nullable(),
  /** All wakes that the run serves, oldest first. */
  wakes: z.array(wake),
  /** When it is timed out unless it is finished before. */
  endsAt: timestamp,
});

export const listRunsQuery = z.strictObject({
  ...pageQuery(50),
  agentId: id.optional(),
  issueId: id.optional(),
  status: commaList(RUN_STATUSES).optional(),
});

const byteCount = (max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be a whole number of bytes')
    .transform(Number)
    .pipe(z.int().min(0).max(max));

export const runLogQuery = z.strictObject({
  offset: byteCount(2_147_483_647).default(0),
  limit: byteCount(1_048_576).pipe(z.int().min(16)).default(65_536),
});

export const runLog = z.object({
  runId: id,
  offset: z.int(),
  nextOffset: z.int(),
  content: z.string(),
  /** True when the run has ended and nothing follows `nextOffset`. */
  eof: z.boolean(),
});

export type WakeReason = z.infer<typeof wakeReason>;
export type WakeView = z.infer<typeof wake>;
export type HeartbeatRunView = z.infer<typeof heartbeatRun>;
export type HeartbeatRunDetailView = z.infer<typeof heartbeatRunDetail>;
export type InvokeHeartbeatBody = z.infer<typeof invokeHeartbeatBody>;
export type FinishRunBody = z.infer<typeof finishRunBody>;
export type FetchWakesQuery = z.infer<typeof fetchWakesQuery>;
export type FetchedRunView = z.infer<typeof fetchedRun>;
export type ListRunsQuery = z.infer<typeof listRunsQuery>;
export type RunLogView = z.infer<typeof runLog>;
