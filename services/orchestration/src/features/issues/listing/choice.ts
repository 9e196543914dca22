import type { CountIssuesQuery, ListIssuesQuery } from '@switchyard/types';
import { namedPerson } from '../../../access/named-person';
import type { Call } from '../../../kernel/call';
import { markOf } from '../../../lists/page';
import { statusesOf } from './narrowing';

export function withNamedPerson<Query extends CountIssuesQuery>(call: Call, query: Query): Query {
  const { assigneeUserId } = query;
  if (assigneeUserId === undefined) return query;
  return { ...query, assigneeUserId: namedPerson(call, assigneeUserId, 'assigneeUserId') };
}

export function markOfList({ limit: _, cursor: __, ...query }: ListIssuesQuery): string {
  const choice = { ...query, status: query.status && statusesOf(query) };
  const given = Object.entries(choice).filter(([, value]) => value !== undefined);
  return markOf(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}
