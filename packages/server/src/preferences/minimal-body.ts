import type { Request } from 'express';

const PREFERENCE = /(?:^|[,;\s])return\s*=\s*"?minimal"?\s*(?:[,;]|$)/i;

export const prefersMinimal = ({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean =>
  method !== 'GET' && method !== 'HEAD' && PREFERENCE.test(String(headers.prefer ?? ''));

/** Fields that a later read cannot return, e.g. secrets, and fields that identify the row. */
const KEPT = new Set([
  'id',
  'identifier',
  'status',
  'revision',
  'companyId',
  'linkedIssueId',
  'heartbeatRunId',
  'activeRoutineRunId',
  'woken',
  'mentions',
  'warnings',
  'secret',
  'fireUrl',
  'key',
  'token',
  'url',
]);

export function minimalBody(body: unknown): Record<string, unknown> | null {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null;
  const kept = Object.entries(body).filter(([name, value]) => KEPT.has(name) && !isEmpty(value));
  const comment = 'comment' in body ? minimalBody(body.comment) : null;
  return { ...Object.fromEntries(kept), ...(comment && { comment }) };
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
