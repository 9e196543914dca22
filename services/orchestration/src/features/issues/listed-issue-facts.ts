import { type FromColumns, jsonObject } from '@switchyard/db';
import { agentName, excerpt, userName } from '../../lists/row-facts';
import { ISSUE_SUMMARY, selectIssue } from '../../state/issues/issue-columns';
import { openBlockersSql } from '../../state/statuses/issue-status';
import { isLiveSql } from '../../state/statuses/run-status';

export const LISTED_ISSUE = {
  ...ISSUE_SUMMARY,
  blockedByCount: 'int',
  childCount: 'int',
  assigneeName: 'text?',
  descriptionExcerpt: 'text?',
  liveRun: 'json?',
  lastActivityAt: 'time',
} as const;

export type ListedIssueRow = FromColumns<typeof LISTED_ISSUE>;

export const selectListedIssue = (i: string): string => `${selectIssue(ISSUE_SUMMARY, i)},
  ${openBlockersSql(`${i}.id`)} AS "blockedByCount",
  (SELECT count(*)::int FROM issue child
    WHERE child.company_id = ${i}.company_id AND child.parent_id = ${i}.id) AS "childCount",
  coalesce(${agentName(`${i}.assignee_agent_id`)}, ${userName(`${i}.assignee_user_id`)}) AS "assigneeName",
  ${excerpt(`${i}.description`)} AS "descriptionExcerpt",
  ${liveRun(i)} AS "liveRun",
  ${lastActivity(i)} AS "lastActivityAt"`;

const LIVE = isLiveSql('run');
const LIVE_RUN = jsonObject(
  { id: 'uuid', status: 'text', agentId: 'uuid', startedAt: 'time?' },
  'run',
);

const liveRun = (i: string) => `coalesce(
    CASE WHEN ${i}.checkout_run_id IS NOT NULL THEN
      (SELECT ${LIVE_RUN} FROM heartbeat_run run WHERE run.id = ${i}.checkout_run_id AND ${LIVE}) END,
    (SELECT ${LIVE_RUN} FROM heartbeat_run run
      WHERE run.company_id = ${i}.company_id AND run.issue_id = ${i}.id AND ${LIVE}
      ORDER BY run.status DESC LIMIT 1))`;

const lastActivity = (i: string) => `greatest(${i}.updated_at,
    (SELECT c.created_at FROM issue_comment c WHERE c.issue_id = ${i}.id
      ORDER BY c.created_at DESC, c.id DESC LIMIT 1),
    (SELECT max(d.updated_at) FROM issue_document d WHERE d.issue_id = ${i}.id),
    (SELECT greatest(run.created_at, run.started_at, run.finished_at) FROM heartbeat_run run
      WHERE run.company_id = ${i}.company_id AND run.issue_id = ${i}.id
      ORDER BY run.created_at DESC, run.id DESC LIMIT 1))`;
