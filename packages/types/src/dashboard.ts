import { z } from 'zod';
import { AGENT_STATUSES } from './agents';
import { cents, id, timestamp } from './primitives';
import { RUN_STATUSES } from './running/heartbeats';
import { ISSUE_STATUSES } from './work/issues';

const count = z.int().min(0);

export const DASHBOARD_DAYS = 14;
export const STALE_AFTER_HOURS = 24;

export const dashboard = z.object({
  companyId: id,
  generatedAt: timestamp,
  agents: z.object({ total: count, byStatus: z.record(z.enum(AGENT_STATUSES), count) }),
  issues: z.object({
    total: count,
    open: count,
    /**
     * Issues in progress that have not changed for `STALE_AFTER_HOURS` and that no person has
     * checked out.
     */
    stale: count,
    byStatus: z.record(z.enum(ISSUE_STATUSES), count),
  }),
  pendingApprovals: count,
  /** Current UTC month. A `budgetCents` of 0 means no limit and a `utilizationPercent` of 0. */
  spend: z.object({
    month: z.string(),
    spendCents: cents,
    budgetCents: cents,
    unlimited: z.boolean(),
    utilizationPercent: z.number(),
    alert: z.enum(['none', 'soft', 'hard']),
  }),
  /** Attachments and logos, including unfinished uploads; a `limitBytes` of 0 means no limit. */
  storage: z.object({ usedBytes: count, limitBytes: count }),
  /**
   * UTF-8 bytes of issues, comments, documents and other texts; a `limitBytes` of 0 means no limit.
   */
  text: z.object({ usedBytes: count, limitBytes: count }),
  runs: z.object({
    running: count,
    queued: count,
    /**
     * The last `DASHBOARD_DAYS` UTC days, oldest first; runs count on the day of their creation.
     */
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
