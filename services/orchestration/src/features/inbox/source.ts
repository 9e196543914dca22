import type { InboxAction, InboxField, InboxKind } from '@switchyard/types';
import type { Access } from '../../access/rules';
import type { InboxRow } from './inbox-row';

export interface Source {
  kinds: readonly InboxKind[];
  sql(p: SourceParameters): readonly string[];
  present(row: InboxRow): Presented;
}

export type SourceParameters = Readonly<Record<'companyId', string>>;

export interface Presented {
  title: string;
  reason: string;
  actions: OfferedAction[];
}

export type OfferedAction = InboxAction & { access: Extract<Access, 'board' | 'owner'> };

interface ItemColumns {
  id: string;
  since: string;
  happenedAt?: string;
  fingerprint?: string;
  issueId?: string;
  agentId?: string;
  agents?: string;
  issues?: string;
  facts?: string;
}

export const ITEM_COLUMNS =
  'kind, id, since, happened_at, fingerprint, issue_id, agent_id, agents, issues, facts';

export const itemSql = (kind: InboxKind, columns: ItemColumns, from: string): string =>
  itemsSql(`'${kind}'`, columns, from);

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
