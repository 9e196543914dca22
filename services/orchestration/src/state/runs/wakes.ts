import type { IssueStatus, WakeReason, WakeView } from '@switchyard/types';
import { isOpenSql } from '../statuses/issue-status';

interface WokenRun {
  issueId: string | null;
  wakeReasons: WakeReason[];
}

interface WakeIssue {
  id: string;
  identifier: string;
  title: string;
  status: IssueStatus;
}

export function wakesOf(run: WokenRun & { wakeIssues: WakeIssue[] }): WakeView[] {
  const issues = new Map(run.wakeIssues.map((issue) => [issue.id, issue]));
  return run.wakeReasons.map(({ source, reason, issueId, commentId, payload, at }) => {
    const issue = issueId === null ? undefined : issues.get(issueId);
    const { identifier = null, title = null, status: issueStatus = null } = issue ?? {};
    const approvalId = source === 'approval' ? approvalOf(payload) : null;
    const about = { issueId, identifier, title, issueStatus, commentId, approvalId };
    return { source, reason, ...about, payload, at };
  });
}

function approvalOf(payload: WakeReason['payload']): string | null {
  return typeof payload?.approvalId === 'string' ? payload.approvalId : null;
}

export function leadingWake({ issueId, wakeReasons }: WokenRun): WakeReason | null {
  return wakeReasons.find((wake) => wake.issueId === issueId) ?? wakeReasons[0] ?? null;
}

export const wakeIssuesSql = (run: string): string => `(
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'id', about.id, 'identifier', about.identifier, 'title', about.title, 'status', about.status)), '[]')
  FROM issue about WHERE about.company_id = ${run}.company_id AND about.id IN (
    SELECT (wake ->> 'issueId')::uuid FROM jsonb_array_elements(${run}.wake_reasons) wake))`;

/**
 * SQL: issue and routine run of a starting `run`: those of its first wake whose issue is open,
 * otherwise its current ones. Most runs have one wake.
 */
export const leadSql = (run: string): string => `
  (SELECT issue_id, routine_run_id FROM (
    SELECT about.id AS issue_id, about.origin_routine_run_id AS routine_run_id, place
    FROM jsonb_array_elements(${run}.wake_reasons) WITH ORDINALITY woken(wake, place)
    JOIN issue about ON about.id = (wake ->> 'issueId')::uuid AND about.company_id = ${run}.company_id
    WHERE ${run}.status = 'queued' AND jsonb_array_length(${run}.wake_reasons) > 1 AND ${isOpenSql('about')}
    UNION ALL SELECT ${run}.issue_id, ${run}.routine_run_id, NULL
  ) lead ORDER BY place LIMIT 1)`;
