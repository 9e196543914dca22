import { z } from 'zod';
import { dashboard } from '../dashboard';
import { cents, EXCERPT_CHARACTERS, id, timestamp } from '../primitives';
import { issueReference, listedRun } from '../work/listed';
import { queuePosition, WAITS_FOR, waitsFor } from './heartbeats';

export const OVERVIEW_ROWS = 30;

const count = z.int().min(0);

const runningRun = listedRun
  .pick({ id: true, agentId: true, agentName: true, issue: true, reason: true, source: true })
  .extend({
    startedAt: timestamp,
    attempt: z.int(),
    lastOutputAt: timestamp.nullable().describe('Time of the last output'),
    lastLogLine: z
      .string()
      .nullable()
      .describe(`The last ${EXCERPT_CHARACTERS} characters of the last log line`),
  });

const waitingRun = listedRun
  .pick({ id: true, agentId: true, agentName: true, issue: true, reason: true, source: true })
  .extend({
    createdAt: timestamp,
    waitsFor,
    queuePosition,
    notBefore: timestamp.nullable().describe('Earliest start of a retry; null for other runs'),
    wakeCount: count.describe('Number of wakes that the run will serve'),
  });

const dueRoutine = z.object({
  routineId: id,
  triggerId: id,
  title: z.string(),
  agentId: id,
  agentName: z.string(),
  nextRunAt: timestamp,
  timezone: z.string().nullable(),
});

const failure = z.object({
  errorCode: z.string(),
  count,
  last: z
    .object({
      runId: id,
      status: z.enum(['failed', 'timed_out']),
      agentId: id,
      agentName: z.string(),
      issue: issueReference.nullable(),
      createdAt: timestamp,
      finishedAt: timestamp.nullable(),
      error: z.string().nullable().describe(`The first ${EXCERPT_CHARACTERS} characters`),
    })
    .nullable()
    .describe('The most recently created run'),
});

/** Days and months are UTC, by the database clock. */
export const overview = z.object({
  companyId: id,
  generatedAt: timestamp,
  running: z.object({
    total: count,
    runs: z.array(runningRun).describe(`The ${OVERVIEW_ROWS} runs that started first`),
  }),
  waiting: z.object({
    total: count,
    byReason: z.record(z.enum(WAITS_FOR), count),
    runs: z.array(waitingRun).describe(`The ${OVERVIEW_ROWS} runs that start next`),
  }),
  next: z.array(dueRoutine).describe('The next five firings of active routines'),
  spend: z.object({
    today: z.object({ date: z.iso.date(), spendCents: cents }),
    month: z.string(),
    spendCents: cents.describe('Spend of the month'),
    budgetCents: cents.describe('Budget of the month; 0: no limit'),
    unlimited: z.boolean(),
    utilizationPercent: z.number().nullable(),
    alert: z.enum(['none', 'soft', 'hard']),
    burnRateCentsPerDay: z.number(),
    endsOn: z.iso.date().nullable().describe('Day on which the budget will be spent at this rate'),
  }),
  days: dashboard.shape.runs.shape.days,
  failures: z
    .array(failure)
    .describe('Failed and timed-out runs of these days by errorCode, most frequent first'),
});

export type OverviewView = z.infer<typeof overview>;
