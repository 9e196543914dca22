import { type Database, isId } from '@switchyard/db';
import { forbidden, notFound } from '@switchyard/server';
import { type CompanyView, DOCUMENT_KEY } from '@switchyard/types';
import { type Actor, mayEnter } from './actor';

interface OwnerRule {
  /** What a refusal calls it. */
  noun: string;
  /** Answers id and company_id for `$1`; `$2` is the value of the parameter that `within` names. */
  sql: string;
  within?: string;
  /** Another spelling of the id, with a statement of its own. */
  alias?: { pattern: RegExp; sql: string };
}

const byId = (table: string) => `SELECT id, company_id FROM ${table} WHERE id = $1::uuid`;

/** Path parameter → the company it belongs to. A parameter without a line here is never mounted. */
const OWNERS: Record<string, OwnerRule> = {
  companyId: {
    noun: 'company',
    sql: 'SELECT id, id AS company_id FROM company WHERE id = $1::uuid',
  },
  agentId: { noun: 'agent', sql: byId('agent') },
  keyId: {
    noun: 'API key',
    sql: 'SELECT id, company_id FROM agent_key WHERE id = $1::uuid AND agent_id = $2::uuid',
    within: 'agentId',
  },
  issueId: {
    noun: 'issue',
    sql: byId('issue'),
    alias: {
      pattern: /^[A-Za-z][A-Za-z0-9]{0,9}-\d{1,9}$/,
      sql: 'SELECT id, company_id FROM issue WHERE identifier = upper($1)',
    },
  },
  runId: { noun: 'heartbeat run', sql: byId('heartbeat_run') },
  goalId: { noun: 'goal', sql: byId('goal') },
  projectId: { noun: 'project', sql: byId('project') },
  workspaceId: {
    noun: 'workspace',
    sql: 'SELECT id, company_id FROM workspace WHERE id = $1::uuid AND project_id = $2::uuid',
    within: 'projectId',
  },
  approvalId: { noun: 'approval', sql: byId('approval') },
  secretId: { noun: 'secret', sql: byId('secret') },
  memberId: {
    noun: 'member',
    sql: 'SELECT id, company_id FROM membership WHERE id = $1::uuid AND company_id = $2::uuid',
    within: 'companyId',
  },
  inviteId: {
    noun: 'invite',
    sql: 'SELECT id, company_id FROM invite WHERE id = $1::uuid AND company_id = $2::uuid',
    within: 'companyId',
  },
  routineId: { noun: 'routine', sql: byId('routine') },
  triggerId: {
    noun: 'trigger',
    sql: `SELECT id, company_id FROM routine_trigger
      WHERE id = $1::uuid AND ($2::uuid IS NULL OR routine_id = $2::uuid)`,
    within: 'routineId',
  },
  publicId: {
    noun: 'trigger',
    sql: 'SELECT id, company_id FROM routine_trigger WHERE public_id = lower($1)',
  },
  routineRunId: {
    noun: 'routine run',
    sql: 'SELECT id, company_id FROM routine_run WHERE id = $1::uuid AND routine_id = $2::uuid',
    within: 'routineId',
  },
  attachmentId: { noun: 'attachment', sql: byId('attachment') },
  assetId: {
    noun: 'asset',
    sql: `SELECT id, company_id FROM asset WHERE id = $1::uuid AND sha256 <> ''
      AND (expires_at IS NULL OR expires_at > now())`,
  },
  revisionId: {
    noun: 'config revision',
    sql: 'SELECT id, company_id FROM agent_config_revision WHERE id = $1::uuid AND agent_id = $2::uuid',
    within: 'agentId',
  },
};

/** Path parameters that are words and name no row of their own; another spelling is answered 404. */
const WORDS: Record<string, { noun: string; pattern: RegExp }> = {
  adapterType: { noun: 'adapter type', pattern: /^[a-z][a-z0-9_-]{0,63}$/ },
  key: { noun: 'document', pattern: DOCUMENT_KEY },
  token: { noun: 'invite', pattern: /^[\w-]{43}$/ },
  // Of no company: the verb looks among the caller's own.
  sessionId: { noun: 'session', pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i },
};

export const SCOPED_PARAMETERS = Object.keys(OWNERS);

/** What a path parameter names, and how it is written where that is no bare id. */
export function describeParameter(name: string) {
  const { noun, alias, pattern } = { ...OWNERS[name], ...WORDS[name] } as OwnerRule & {
    pattern?: RegExp;
  };
  return { noun, alias: alias?.pattern, pattern };
}

/** @throws Error at start for a path with a parameter that no rule scopes (guarantee G21) */
export function assertScoped(path: string): void {
  for (const [, parameter] of path.matchAll(/:([A-Za-z]+)/g)) {
    if (parameter && !OWNERS[parameter] && !WORDS[parameter]) {
      throw new Error(`${path}: the parameter :${parameter} has no rule in owners.ts`);
    }
  }
}

interface Owned {
  /** Named by another spelling than its id. */
  isAlias: boolean;
  id: string;
  company_id: string;
  company_status: CompanyView['status'];
}

async function findOwner(
  db: Database,
  parameter: string,
  params: Record<string, string>,
): Promise<Owned> {
  const rule = OWNERS[parameter] as OwnerRule;
  const value = params[parameter] ?? '';
  const spelling = isId(value) ? rule : rule.alias?.pattern.test(value) ? rule.alias : null;
  if (!spelling) throw notFound(rule.noun);
  const isAlias = spelling !== rule;
  const sql = `SELECT o.id, o.company_id, c.status AS company_status
    FROM (${spelling.sql}) o JOIN company c ON c.id = o.company_id`;
  const values = rule.within ? [value, params[rule.within]] : [value];
  const rows = await db.rows<Omit<Owned, 'isAlias'>>(
    `owner-${parameter}${isAlias ? '-alias' : ''}`,
    sql,
    values,
  );
  if (!rows[0]) throw notFound(rule.noun);
  return { ...rows[0], isAlias };
}

export function assertCompanyAccess(actor: Actor, companyId: string): void {
  if (!mayEnter(actor, companyId)) {
    throw forbidden('cross_company', 'this belongs to another company');
  }
}

/**
 * Resolves every `:xId` of a path to its company, puts canonical ids into `params`, and refuses what
 * the caller may not see: 404 for what does not exist, 403 for an id of another company, 404 for an
 * identifier of one (`ACM-42`), whether it exists or not.
 */
export async function resolveScope(
  db: Database,
  actor: Actor,
  params: Record<string, string>,
): Promise<{ companyId: string; companyStatus: CompanyView['status'] } | null> {
  let scope: { companyId: string; companyStatus: CompanyView['status'] } | null = null;
  for (const [parameter, value] of Object.entries(params)) {
    const word = WORDS[parameter];
    if (word && !word.pattern.test(value)) throw notFound(word.noun);
  }
  for (const parameter of Object.keys(params).filter((name) => OWNERS[name])) {
    const owned = await findOwner(db, parameter, params);
    const { noun } = OWNERS[parameter] as OwnerRule;
    // Another spelling can be guessed, so that a 403 would tell strangers what a company has.
    if (owned.isAlias && !mayEnter(actor, owned.company_id)) throw notFound(noun);
    assertCompanyAccess(actor, owned.company_id);
    if (scope && scope.companyId !== owned.company_id) {
      throw notFound(noun);
    }
    params[parameter] = owned.id;
    scope = { companyId: owned.company_id, companyStatus: owned.company_status };
  }
  return scope;
}
