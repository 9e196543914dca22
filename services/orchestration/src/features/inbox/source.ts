import type { InboxAction, InboxField, InboxKind } from '@switchyard/types';
import type { Access } from '../../access/rules';
import type { InboxRow } from './inbox-row';

/** One cause for which a person is needed: where its rows are, and what is said and offered of each. */
export interface Source {
  kinds: readonly InboxKind[];
  /** SELECTs as `itemSql` writes them; they may read the parts of `parts.ts` that their group names. */
  sql(p: SourceParameters): readonly string[];
  present(row: InboxRow): Presented;
}

export type SourceParameters = Readonly<Record<'companyId', string>>;

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
  /** How many agents and issues wait for it. */
  agents?: string;
  issues?: string;
  /** What its texts and actions are made of; no large texts. */
  facts?: string;
}

/** Columns of `itemSql`, in their order. */
export const ITEM_COLUMNS =
  'kind, id, since, happened_at, fingerprint, issue_id, agent_id, agents, issues, facts';

/** SQL: the items of one kind; `from` is everything from FROM on. */
export const itemSql = (kind: InboxKind, columns: ItemColumns, from: string): string =>
  itemsSql(`'${kind}'`, columns, from);

/** SQL: the items of the kind that the expression `kind` returns. */
export function itemsSql(kind: string, columns: ItemColumns, from: string): string {
  const {
    id,
    since,
    happenedAt = since,
    fingerprint = "''::text",
    facts = "'{}'::jsonb",
  } = columns;
  const { issueId = 'NULL::uuid', agentId = 'NULL::uuid', agents = '0', issues = '0' } = columns;
  return `
    SELECT ${kind}::text, ${id}, ${since}, ${happenedAt}, ${fingerprint}, ${issueId}, ${agentId},
      (${agents})::int, (${issues})::int, ${facts}
    ${from}`;
}

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
