import {
  INBOX_KIND_NAMES,
  INBOX_KINDS,
  INBOX_SEVERITIES,
  type InboxAction,
  type InboxField,
  type InboxKind,
} from '@switchyard/types';
import type { Access } from '../../access/rules';
import type { InboxRow } from './inbox-row';

/** One cause for which a person is needed: where its rows are, and what is said and offered of each. */
export interface Source {
  kinds: readonly InboxKind[];
  /** SELECTs as `itemSql` writes them; they may use the common parts of `common-parts.ts`. */
  sql(p: SourceParameters): readonly string[];
  present(row: InboxRow): Presented;
}

export type SourceParameters = Readonly<Record<'companyId' | 'userId' | 'showsInvites', string>>;

export interface Presented {
  title: string;
  reason: string;
  actions: OfferedAction[];
}

/** An action with the access of its route. */
export type OfferedAction = InboxAction & { access: Extract<Access, 'board' | 'owner'> };

/** SQL expressions of one item; what is left out is null or nothing. */
interface ItemColumns {
  id: string;
  since: string;
  /** When it happened last: what was hidden before is shown again. By default `since`. */
  happenedAt?: string;
  /** What else makes it another one, e.g. a budget. */
  fingerprint?: string;
  issueId?: string;
  agentId?: string;
  runId?: string;
  approvalId?: string;
  routineId?: string;
  /** How many agents and issues wait for it. */
  agents?: string;
  issues?: string;
  /** What its texts and actions are made of; no large texts. */
  facts?: string;
}

/** SQL: the items of one kind; `from` is everything from FROM on. */
export function itemSql(kind: InboxKind, columns: ItemColumns, from: string): string {
  const { id, since, happenedAt = since } = columns;
  const severity = INBOX_SEVERITIES.indexOf(INBOX_KINDS[kind]);
  return `
    SELECT '${kind}' AS kind, ${severity} AS severity_at, ${INBOX_KIND_NAMES.indexOf(kind)} AS kind_at,
      ${id} AS id, date_trunc('milliseconds', ${since}) AS since, ${happenedAt} AS happened_at,
      ${columns.fingerprint ?? "''"} AS fingerprint, ${columns.issueId ?? NO_ID} AS issue_id,
      ${columns.agentId ?? NO_ID} AS agent_id, ${columns.runId ?? NO_ID} AS run_id,
      ${columns.approvalId ?? NO_ID} AS approval_id, ${columns.routineId ?? NO_ID} AS routine_id,
      (${columns.agents ?? 0})::int AS agents, (${columns.issues ?? 0})::int AS issues,
      ${columns.facts ?? "'{}'::jsonb"} AS facts
    ${from}`;
}

const NO_ID = 'NULL::uuid';

type Offered = Pick<OfferedAction, 'body' | 'fields'> & { access?: OfferedAction['access'] };

const offer =
  (method: InboxAction['method']) =>
  (name: string, label: string, path: string, more: Offered = {}): OfferedAction => ({
    name,
    label,
    method,
    path,
    access: 'board',
    ...more,
  });

export const post = offer('POST');
export const patch = offer('PATCH');
export const remove = offer('DELETE');

export const required = (name: string, type: InboxField['type'], minimum?: number): InboxField => ({
  name,
  type,
  required: true,
  ...(minimum !== undefined && { minimum }),
});
export const optional = (name: string, type: InboxField['type']): InboxField => ({
  name,
  type,
  required: false,
});
