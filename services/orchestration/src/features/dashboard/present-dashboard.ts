import {
  AGENT_STATUSES,
  DASHBOARD_DAYS,
  type DashboardView,
  ISSUE_STATUSES,
  RUN_STATUSES,
} from '@switchyard/types';
import type { Config } from '../../config';
import { budgetUse } from '../../state/budgets/budget-use';
import type { DashboardRow } from './dashboard-statement';

export function presentDashboard(
  row: DashboardRow,
  limits: Pick<Config, 'companyStorageBytes' | 'companyTextBytes'>,
): DashboardView {
  const issues = tally(ISSUE_STATUSES, row.issues);
  const { done, cancelled } = issues.byStatus;
  const { spendCents, budgetCents } = row;
  return {
    companyId: row.companyId,
    generatedAt: row.generatedAt,
    agents: tally(AGENT_STATUSES, row.agents),
    issues: {
      total: issues.total,
      open: issues.total - done - cancelled,
      stale: row.staleIssues,
      byStatus: issues.byStatus,
    },
    pendingApprovals: row.pendingApprovals,
    spend: {
      month: row.today.slice(0, 7),
      spendCents,
      budgetCents,
      unlimited: budgetCents === 0,
      ...budgetUse(spendCents, budgetCents),
    },
    storage: { usedBytes: row.storedBytes, limitBytes: limits.companyStorageBytes },
    text: { usedBytes: row.textBytes, limitBytes: limits.companyTextBytes },
    runs: {
      running: row.openRuns.running ?? 0,
      queued: row.openRuns.queued ?? 0,
      days: runsByDay(row.today, row.recentRuns),
    },
  };
}

type Counts = Record<string, number>;

export interface DayCount {
  date: string;
  status: string;
  n: number;
}

function tally<const Status extends string>(statuses: readonly Status[], counts: Counts) {
  const byStatus = Object.fromEntries(
    statuses.map((status) => [status, counts[status] ?? 0]),
  ) as Record<Status, number>;
  const total = Object.values<number>(byStatus).reduce((sum, n) => sum + n, 0);
  return { total, byStatus };
}

const DAY_MS = 86_400_000;

function daysUntil(today: string, count: number): string[] {
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) =>
    new Date(last - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

export function runsByDay(today: string, counts: readonly DayCount[]) {
  return daysUntil(today, DASHBOARD_DAYS).map((date) => dayOf(date, counts));
}

function dayOf(date: string, counts: readonly DayCount[]) {
  const ofDay = counts.filter((run) => run.date === date);
  return {
    date,
    ...tally(RUN_STATUSES, Object.fromEntries(ofDay.map((run) => [run.status, run.n]))),
  };
}
