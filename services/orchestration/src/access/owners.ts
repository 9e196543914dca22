import { ask, type Columns, type Database, isId, type Statement, statement } from '@switchyard/db';
import { type ApiError, extendLogContext, forbidden, notFound } from '@switchyard/server';
import { type CompanyView, DOCUMENT_KEY, INBOX_ITEM_ID, placeOfId } from '@switchyard/types';
import { type Actor, mayEnter } from '../kernel/actor';
import { isDeletedSql } from '../state/companies/deleted';

interface OwnerRule {
  noun: string;
  find: Find;
  within?: string;
  alias?: { pattern: RegExp; find: Find };
  /** True if a row is only deleted with its company; the row's company may then be cached. */
  isKept?: true;
}

type Find = Statement<Columns, typeof OWNED>;

const OWNED = { id: 'uuid', companyId: 'uuid', companyStatus: 'text' } as const;

function find(
  name: string,
  table: string,
  where: (value: string, within: string) => string,
  { type = 'uuid', hasWithin = false }: { type?: 'uuid' | 'text'; hasWithin?: boolean } = {},
): Find {
  const companyId = table === 'company' ? 'o.id' : 'o.company_id';
  return statement(`owner-${name}`, {
    takes: hasWithin ? { value: type, within: 'uuid?' } : { value: type },
    gives: OWNED,
    sql: ({ value = '', within = '' }: Record<string, string>) => `
      SELECT o.id, c.id AS "companyId", c.status AS "companyStatus"
      FROM ${table} o JOIN company c ON c.id = ${companyId}
      WHERE ${where(value, within)} AND NOT ${isDeletedSql('c.id')}`,
  });
}

const byId = (table: string) => find(table, table, (id) => `o.id = ${id}`);
const byIdWithin = (table: string, column: string) =>
  find(table, table, (id, within) => `o.id = ${id} AND o.${column} = ${within}`, {
    hasWithin: true,
  });

const OWNERS: Record<string, OwnerRule> = {
  companyId: { noun: 'company', find: byId('company'), isKept: true },
  agentId: { noun: 'agent', find: byId('agent'), isKept: true },
  keyId: { noun: 'API key', find: byIdWithin('agent_key', 'agent_id'), within: 'agentId' },
  issueId: {
    noun: 'issue',
    find: byId('issue'),
    isKept: true,
    alias: {
      pattern: /^[A-Za-z][A-Za-z0-9]{0,9}-\d{1,9}$/,
      find: find('identifier', 'issue', (value) => `o.identifier = upper(${value})`, {
        type: 'text',
      }),
    },
  },
  commentId: {
    noun: 'comment',
    find: byIdWithin('issue_comment', 'issue_id'),
    within: 'issueId',
  },
  labelId: { noun: 'label', find: byId('label') },
  runId: { noun: 'heartbeat run', find: byId('heartbeat_run') },
  goalId: { noun: 'goal', find: byId('goal') },
  projectId: { noun: 'project', find: byId('project') },
  workspaceId: {
    noun: 'workspace',
    find: byIdWithin('workspace', 'project_id'),
    within: 'projectId',
  },
  approvalId: { noun: 'approval', find: byId('approval') },
  endpointId: { noun: 'endpoint', find: byId('endpoint') },
  deliveryId: {
    noun: 'delivery',
    find: find('delivery', 'delivery', (id) => `o.id = ${id} AND o.endpoint_id IS NOT NULL`),
  },
  secretId: { noun: 'secret', find: byId('secret') },
  memberId: { noun: 'member', find: byIdWithin('membership', 'company_id'), within: 'companyId' },
  inviteId: { noun: 'invite', find: byIdWithin('invite', 'company_id'), within: 'companyId' },
  routineId: { noun: 'routine', find: byId('routine') },
  triggerId: {
    noun: 'trigger',
    find: find(
      'routine_trigger',
      'routine_trigger',
      (id, within) => `o.id = ${id} AND (${within} IS NULL OR o.routine_id = ${within})`,
      { hasWithin: true },
    ),
    within: 'routineId',
  },
  routineRunId: {
    noun: 'routine run',
    find: byIdWithin('routine_run', 'routine_id'),
    within: 'routineId',
  },
  attachmentId: { noun: 'attachment', find: byId('attachment') },
  assetId: {
    noun: 'asset',
    find: find(
      'asset',
      'asset',
      (id) => `o.id = ${id} AND o.sha256 <> '' AND (o.expires_at IS NULL OR o.expires_at > now())`,
    ),
  },
  viewId: { noun: 'saved view', find: byId('saved_view') },
  spendCapId: {
    noun: 'spending cap',
    find: byIdWithin('spend_cap', 'company_id'),
    within: 'companyId',
  },
  runLimitId: { noun: 'limit', find: byIdWithin('run_limit', 'company_id'), within: 'companyId' },
  runnerId: { noun: 'runner', find: byIdWithin('runner', 'company_id'), within: 'companyId' },
  revisionId: {
    noun: 'config revision',
    find: byIdWithin('agent_config_revision', 'agent_id'),
    within: 'agentId',
  },
};

const UUID = {
  pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  form: 'an id (a UUID)',
};

const WORDS: Record<string, { noun: string; pattern?: RegExp; form?: string }> = {
  adapterType: {
    noun: 'adapter type',
    pattern: /^[a-z][a-z0-9_-]{0,63}$/,
    form: 'a lower-case letter, then at most 63 lower-case letters, digits, _ and -',
  },
  itemId: {
    noun: 'inbox item',
    pattern: INBOX_ITEM_ID,
    form: 'an id of the inbox, such as approval:<id of the approval>',
  },
  key: {
    noun: 'document',
    pattern: DOCUMENT_KEY,
    form: 'a lower-case letter or digit, then at most 63 lower-case letters, digits, _ and -',
  },
  token: { noun: 'invite', pattern: /^[\w-]{43}$/, form: '43 letters, digits, _ and -' },
  publicId: { noun: 'trigger' },
  sessionId: { noun: 'session', ...UUID },
  checkId: { noun: 'check', ...UUID },
  tokenId: { noun: 'token', ...UUID },
};

export const SCOPED_PARAMETERS = Object.keys(OWNERS);

export function describeParameter(name: string) {
  const { noun, alias, pattern } = { ...OWNERS[name], ...WORDS[name] } as OwnerRule & {
    pattern?: RegExp;
  };
  return { noun, alias: alias?.pattern, pattern };
}

export function assertScoped(path: string): void {
  for (const [, parameter] of path.matchAll(/:([A-Za-z]+)/g)) {
    if (parameter && !OWNERS[parameter] && !WORDS[parameter]) {
      throw new Error(`${path}: the parameter :${parameter} has no rule in owners.ts`);
    }
  }
}

interface Owned extends Scope {
  isAlias: boolean;
  id: string;
}

function recall(known: KnownOwners, parameter: string, value: string): Owned | null {
  const id = value.toLowerCase();
  const companyId = known.companyOf(keyOf(parameter, id));
  return companyId === undefined ? null : { isAlias: false, id, companyId, companyStatus: null };
}

const keyOf = (parameter: string, id: string) => `${parameter} ${id}`;

async function findOwner(
  db: Database,
  parameter: string,
  params: Record<string, string>,
): Promise<Owned> {
  const rule = OWNERS[parameter] as OwnerRule;
  const value = params[parameter] ?? '';
  const isAlias = !isId(value);
  if (isAlias && !rule.alias?.pattern.test(value)) throw notFoundAs(rule, parameter, value);
  const within = rule.within ? (params[rule.within] ?? null) : undefined;
  const found = isAlias ? (rule.alias?.find ?? rule.find) : rule.find;
  const [owner] = await ask(db, found, { value, within });
  if (!owner) throw notFoundAs(rule, parameter, value);
  return { ...owner, companyStatus: owner.companyStatus as CompanyView['status'], isAlias };
}

function notFoundAs({ noun, alias }: OwnerRule, parameter: string, value: string): ApiError {
  const isWritten = isId(value) || alias?.pattern.test(value);
  const form = alias ? 'an id (a UUID) or an identifier such as ACM-42' : 'an id (a UUID)';
  const none = `the path must name an existing ${noun}; a list shows its id`;
  const place = alias ? null : placeOfId(parameter, value);
  const where = place === null ? '' : `: ${place}`;
  return notFound(noun, isWritten ? none : `the path must name it by ${form}${where}`);
}

function assertCompanyAccess(actor: Actor, companyId: string): void {
  if (!mayEnter(actor, companyId)) {
    throw forbidden(
      'cross_company',
      'the path names an object of another company; GET /api/auth/session lists your companies',
    );
  }
}

export interface Scope {
  companyId: string;
  companyStatus: CompanyView['status'] | null;
}

/**
 * Resolves each `:xId` to its company and writes canonical ids into `params`. With `mayRecall` it
 * may skip reading the company's status.
 * @throws ApiError 404 for a missing row or an identifier (`ACM-42`) of another company, 403 for an
 * id of another company
 */
export async function resolveScope(
  { db, known }: { db: Database; known: KnownOwners },
  actor: Actor,
  params: Record<string, string>,
  mayRecall: boolean,
): Promise<Scope | null> {
  let scope: Scope | null = null;
  for (const [parameter, value] of Object.entries(params)) {
    const word = WORDS[parameter];
    if (word?.pattern && !word.pattern.test(value))
      throw notFound(word.noun, `the path segment "${value.slice(0, 50)}" must be ${word.form}`);
  }
  for (const parameter of Object.keys(params).filter((name) => OWNERS[name])) {
    const value = params[parameter] ?? '';
    const rule = OWNERS[parameter] as OwnerRule;
    const recalled = mayRecall && rule.isKept ? recall(known, parameter, value) : null;
    const isCurrent = recalled !== null && mayEnter(actor, recalled.companyId);
    const owned = isCurrent ? recalled : await findOwner(db, parameter, params);
    if (rule.isKept) known.add(keyOf(parameter, owned.id), owned.companyId);
    // Identifiers can be guessed, so a 403 would reveal which ones another company uses.
    if (owned.isAlias && !mayEnter(actor, owned.companyId))
      throw notFoundAs(rule, parameter, value);
    extendLogContext({ companyId: owned.companyId });
    assertCompanyAccess(actor, owned.companyId);
    if (scope && scope.companyId !== owned.companyId) {
      throw notFoundAs(rule, parameter, value);
    }
    params[parameter] = owned.id;
    scope = { companyId: owned.companyId, companyStatus: owned.companyStatus };
  }
  return scope;
}

const MOST = 20_000;

export interface KnownOwners {
  companyOf(key: string): string | undefined;
  add(key: string, companyId: string): void;
}

export function createKnownOwners(most = MOST): KnownOwners {
  const companies = new Map<string, string>();
  return {
    companyOf: (key) => companies.get(key),
    add: (key, companyId) => {
      companies.set(key, companyId);
      for (const oldest of companies.keys()) {
        if (companies.size <= most) return;
        companies.delete(oldest);
      }
    },
  };
}
