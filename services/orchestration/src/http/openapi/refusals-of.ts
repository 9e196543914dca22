import type { ErrorCode } from '@switchyard/types';
import { z } from 'zod';
import { SCOPED_PARAMETERS } from '../../access/owners';
import { type Access, isOpen } from '../../access/rules';
import type { OrchestrationRoute } from '../../route';

const ALWAYS: ErrorCode[] = [
  'validation_error',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
];

const BY_ACCESS: Record<Access, ErrorCode[]> = {
  public: [],
  webhook: [],
  runner: ['unauthenticated'],
  'agent-or-board': ['unauthenticated', 'token_expired'],
  agent: ['unauthenticated', 'token_expired'],
  board: ['unauthenticated', 'token_expired', 'board_only'],
  owner: ['unauthenticated', 'token_expired', 'board_only'],
};

const COMPARED = new Set(['baseRevisionId']);

function fieldsOf(body: z.ZodType | undefined): string[] {
  if (body instanceof z.ZodObject) return Object.keys(body.shape);
  if (body instanceof z.ZodUnion) return body.options.flatMap((one) => fieldsOf(one as z.ZodType));
  return [];
}

const namesOthers = (body: z.ZodType | undefined): boolean =>
  fieldsOf(body).some((field) => /[a-z]Ids?$/.test(field) && !COMPARED.has(field));

export const parametersOf = (path: string): string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] as string);

export function refusalsOf(route: OrchestrationRoute): Set<ErrorCode> {
  const access = route.access as Access;
  const codes = new Set<ErrorCode>([...ALWAYS, ...BY_ACCESS[access], ...(route.errors ?? [])]);
  const parameters = parametersOf(route.path);
  const isScoped = parameters.some((name) => SCOPED_PARAMETERS.includes(name));
  if (parameters.length > 0) codes.add('not_found');
  if (isScoped && !isOpen(access)) codes.add('cross_company');
  if (route.method === 'GET') return codes;
  codes.add('too_large');
  if (!route.rawBody || route.read) codes.add('unsupported_media_type');
  if (route.read) codes.add('storage_full').add('malware_found');
  const isForAgents = access === 'agent' || access === 'agent-or-board';
  if (isForAgents && !route.allowPaused) codes.add('agent_paused');
  if (isScoped && !route.allowArchived) codes.add('company_archived');
  if (route.method === 'POST' && route.idempotent !== false) codes.add('idempotency_conflict');
  if (namesOthers(route.body)) codes.add('cross_company').add('unknown_reference');
  return codes;
}
