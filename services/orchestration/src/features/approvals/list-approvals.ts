import { type FromColumns, jsonObject } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import { EXCERPT_CHARACTERS, type ListedApprovalView, MAX_NAMED } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { newestFirstList } from '../../lists/newest-first';
import { agentName, issueReferenceJson, userName } from '../../lists/row-facts';
import { answerOf } from './approvals';

export function listApprovals(
  { db, companyId }: Call,
  query: { limit: number; cursor?: string | undefined; status?: string | undefined },
): Promise<Reply<ListedApprovalView[]>> {
  return readApprovals(db, { ...query, companyId });
}

export function listIssueApprovals(
  { db, companyId }: Call,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<ListedApprovalView[]>> {
  return readApprovals(db, { ...query, companyId, issueId });
}

/** In bytes; lists omit larger payloads. */
const MAX_READ_BYTES = 65_536;

const PAYLOAD_TEXT = `CASE WHEN listed.type <> 'hire_agent' AND pg_column_size(listed.payload) <= ${MAX_READ_BYTES} THEN
  left(coalesce(
    CASE WHEN jsonb_typeof(listed.payload -> 'title') = 'string' THEN listed.payload ->> 'title' END,
    (SELECT value #>> '{}' FROM jsonb_each(listed.payload) WHERE jsonb_typeof(value) = 'string' LIMIT 1)
  ), ${5 * EXCERPT_CHARACTERS}) END`;

const HIRE = `(SELECT json_build_object('agentId', draft.id, 'name', draft.name, 'role', draft.role,
    'title', draft.title, 'adapterType', draft.adapter_type, 'budgetMonthlyCents', draft.budget_monthly_cents,
    'managerName', ${agentName('draft.reports_to')})
  FROM agent draft WHERE draft.id = listed.hired_agent_id)`;

const ISSUES = `(SELECT json_agg(linked.shown) FROM (
  SELECT ${issueReferenceJson('about')} AS shown
  FROM approval_issue link JOIN issue about ON about.id = link.issue_id
  WHERE link.approval_id = listed.id ORDER BY link.issue_id LIMIT ${MAX_NAMED}) linked)`;

const COLUMNS = {
  id: 'uuid',
  companyId: 'uuid',
  type: 'text',
  status: 'text',
  requestedByAgentId: 'uuid?',
  requestedByUserId: 'text?',
  decidedByUserId: 'text?',
  decisionNote: 'text?',
  answerOption: 'text?',
  decidedAt: 'time?',
  deadlineAt: 'time?',
  onDeadline: 'json?',
  deadlinePassedAt: 'time?',
  escalation: 'json',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const DERIVED = {
  text: ['text?', PAYLOAD_TEXT],
  hire: ['json?', HIRE],
  requestedByName: [
    'text?',
    `coalesce(${agentName('listed.requested_by_agent_id')}, ${userName('listed.requested_by_user_id')})`,
  ],
  issueCount: [
    'int',
    '(SELECT count(*)::int FROM approval_issue link WHERE link.approval_id = listed.id)',
  ],
  issues: ['json?', ISSUES],
} as const;

const readApprovals = newestFirstList(
  'list-approvals',
  {
    table: 'approval',
    gives: COLUMNS,
    derived: DERIVED,
    filters: {
      status: 'status',
      issueId: {
        type: 'uuid',
        where: (issueId) =>
          `listed.id IN (SELECT approval_id FROM approval_issue WHERE issue_id = ${issueId})`,
      },
    },
  },
  presentListedApproval,
);

export const readApprovalRows = readApprovals.byIds;
export const listedApprovalJson = jsonObject(
  COLUMNS,
  'listed',
  Object.fromEntries(Object.entries(DERIVED).map(([name, [, sql]]) => [name, sql])),
);

export type ListedApprovalRow = FromColumns<typeof COLUMNS> &
  Omit<Asked, 'type'> & {
    requestedByName: string | null;
    issueCount: number;
    issues: ListedApprovalView['issues'] | null;
  };

export function presentListedApproval({
  text,
  issues,
  answerOption,
  ...row
}: ListedApprovalRow): ListedApprovalView {
  return {
    ...row,
    title: titleOf({ ...row, text }),
    decision: answerOf({ ...row, answerOption }),
    issues: issues ?? [],
  } as ListedApprovalView;
}

interface Asked {
  type: string;
  text: string | null;
  hire: ListedApprovalView['hire'];
}

function titleOf({ type, text, hire }: Asked): string {
  if (type === 'hire_agent') return hire ? `Hire ${hire.name} as ${hire.role}` : 'Hire an agent';
  const line = firstLineOf(text ?? '');
  if (type !== 'approve_ceo_strategy') return line || 'A question to the board';
  return line ? `Strategy: ${line}` : 'Strategy';
}

function firstLineOf(text: string): string {
  const line = text.split(/[\r\n]/).find((one) => one.trim() !== '') ?? '';
  return [...line.replace(/^[\s#]+/, '').trim()].slice(0, EXCERPT_CHARACTERS).join('');
}
