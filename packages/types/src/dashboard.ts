import { z } from 'zod';
import { AGENT_STATUSES } from './agents';
import { cents, id, timestamp } from './primitives';
import { RUN_STATUSES } from './running/heartbeats';
import { ISSUE_STATUSES } from './work/issues';

const count = z.int().min(0);

/** Days that the dashboard looks back on, today included. */
export const DASHBOARD_DAYS = 14;
/** Hours without a change after which an issue in progress is called stale. */
export const STALE_AFTER_HOURS = 24;

/** A company on one page; every status is present, with 0 where there is nothing. */
export const dashboard = z.object({
  companyId: id,
  generatedAt: timestamp,
  agents: z.object({ total: count, byStatus: z.record(z.enum(AGENT_STATUSES), count) }),
  issues: z.object({
    total: count,
    /** Neither done nor cancelled. */
    open: count,
    /** In progress and unchanged for `STALE_AFTER_HOURS`, and not checked out by a person, who takes the time it needs. */
    stale: count,
    byStatus: z.record(z.enum(ISSUE_STATUSES), count),
  }),
  /** Approvals that wait for a decision of the board. */
  pendingApprovals: count,
  /** The present UTC month; `budgetCents` 0 is no limit, and then nothing is utilized. */
  spend: z.object({
    month: z.string(),
    spendCents: cents,
    budgetCents: cents,
    unlimited: z.boolean(),
    utilizationPercent: z.number(),
    alert: z.enum(['none', 'soft', 'hard']),
  }),
  /** Attachments and logos, those under way included; `limitBytes` 0 is no limit. */
  storage: z.object({ usedBytes: count, limitBytes: count }),
  /** Issues, comments, documents and other texts, in UTF-8; `limitBytes` 0 is no limit. */
  text: z.object({ usedBytes: count, limitBytes: count }),
  runs: z.object({
    running: count,
    /** Runs that wait for their agent, a worker or the time of their retry. */
    queued: count,
    /** The last `DASHBOARD_DAYS` UTC days, oldest first: runs by the day they were created on. */
    days: z.array(
      z.object({
        date: z.iso.date(),
        total: count,
        byStatus: z.record(z.enum(RUN_STATUSES), count),
      }),
    ),
  }),
});

export type DashboardView = z.infer<typeof dashboard>;
