import type { InboxAction, InboxField, InboxKind } from '@switchyard/types';
import type { Access } from '../../access/rules';
import type { InboxRow } from './inbox-row';

export interface Source {
  kinds: readonly InboxKind[];
  items(p: SourceParameters): readonly Items[];
  present(row: InboxRow): Presented;
}

export type SourceParameters = Readonly<Record<'companyId', string>>;

export interface Presented {
  title: string;
  reason: string;
  actions: OfferedAction[];
}

export type OfferedAction = InboxAction & { access: Extract<Access, 'board' | 'owner'> };

export interface Items {
  kind: string;
  columns: ItemColumns;
  from: string;
  columnJoins?: string;
  where?: string;
  isIndexed?: boolean;
}

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

export const itemsOf = (
  kind: InboxKind,
  columns: ItemColumns,
  from: string,
  more: Pick<Items, 'columnJoins' | 'where' | 'isIndexed'> = {},
): Items => ({ kind: `'${kind}'`, columns, from, ...more });

export const countSql = ({ kind, from, where = '' }: Items): string => `
    SELECT ${kind}::text, count(*) ${from} ${where} GROUP BY 1`;

export function itemSql({ kind, columns, from, columnJoins = '', where = '' }: Items): string {
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
    ${from} ${columnJoins} ${where}`;
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
