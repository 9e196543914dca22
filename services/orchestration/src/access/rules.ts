import { forbidden } from '@switchyard/server';
import type { UpdateWorkspaceBody } from '@switchyard/types';
import { type Actor, type BoardActor, LOCAL_BOARD } from '../kernel/actor';
import type { Call } from '../kernel/call';
import type { CompanyFounders } from '../settings/sign-in-settings';
import { SEND_BEARER } from './credentials/misplaced-credential';

/**
 * Callers that may use a route. `owner` is for routes of members, invites and the company itself:
 * all board members may read, but only owners may write.
 */
export type Access =
  | 'public'
  | 'webhook'
  | 'runner'
  | 'agent-or-board'
  | 'agent'
  | 'board'
  | 'owner';

export const isOpen = (access: string): boolean => OPEN.includes(access);

const OPEN = ['public', 'webhook', 'runner'];

function assertRole(access: Access, actor: BoardActor, reads: boolean, companyId: string | null) {
  if (actor.roles === 'all' || companyId === null || reads) return;
  const role = actor.roles.get(companyId);
  if (role === 'viewer') throw forbidden('forbidden', 'a viewer may only read');
  if (access === 'owner' && role !== 'owner') {
    throw forbidden('forbidden', 'only an owner of the company may do this');
  }
}

/**
 * Forbids personal tokens to change sign-ins or to create an agent's API key: no credential that a
 * token creates may survive the revocation of the token.
 */
function assertToken(actor: BoardActor, reads: boolean, isBrowserOnly: boolean): void {
  if (!actor.token) return;
  if (isBrowserOnly) {
    throw forbidden('forbidden', 'a personal access token may not do this: sign in with a browser');
  }
  if (actor.token.scope === 'read' && !reads) {
    throw forbidden('forbidden', 'this personal access token may only read: its scope is "read"');
  }
}

export function assertAccess(
  access: Access,
  actor: Actor,
  reads: boolean,
  companyId: string | null,
  isBrowserOnly = false,
): void {
  if ((access === 'board' || access === 'owner') && actor.type !== 'board') {
    throw forbidden(
      'board_only',
      'only the board may do this: ask it in a comment, or create an approval',
    );
  }
  if (access === 'agent' && actor.type !== 'agent') {
    throw forbidden('forbidden', onlyAgents(actor));
  }
  if (actor.type !== 'board') return;
  assertToken(actor, reads, isBrowserOnly);
  assertRole(access, actor, reads, companyId);
}

function onlyAgents(actor: Actor): string {
  const problem = actor === LOCAL_BOARD ? ', and no credential was sent' : '';
  return `only an agent may do this${problem}: ${SEND_BEARER}`;
}

export function mayWrite(access: 'board' | 'owner', actor: BoardActor, companyId: string): boolean {
  if (actor.token?.scope === 'read') return false;
  if (actor.roles === 'all') return true;
  const role = actor.roles.get(companyId);
  return role === 'owner' || (role === 'operator' && access === 'board');
}

export function assertOwner(actor: Actor, companyId: string): void {
  if (actor.type === 'board') assertRole('owner', actor, false, companyId);
}

export function assertMayFound(actor: Actor, founders: CompanyFounders): void {
  if (founders === 'everybody' || (actor.type === 'board' && actor.isAdministrator)) return;
  throw forbidden(
    'administrators_only',
    'only an administrator of this installation may create a company (COMPANY_FOUNDERS)',
  );
}

export function assertMayWeigh(actor: Actor): void {
  if (actor.type === 'board' && actor.isAdministrator) return;
  throw forbidden(
    'administrators_only',
    'only an administrator of this installation may change `runWeight`, because it reduces the share of other companies',
  );
}

export function assertSelfOrBoard(
  { actor }: Call,
  agentId: string | null,
  message = 'an agent may only do this for itself; GET /api/agents/me returns its id',
): void {
  if (actor.type === 'agent' && actor.agentId !== agentId) throw forbidden('not_own', message);
}

export function assertMayResubmit(call: Call, requestedByAgentId: string | null): void {
  const message = 'only the requesting agent or the board may resubmit';
  assertSelfOrBoard(call, requestedByAgentId, message);
}

const OWN_FIELDS: readonly string[] = ['title', 'capabilities'];

export function assertMayChangeAgent(call: Call, agentId: string, fields: string[]): void {
  assertSelfOrBoard(call, agentId);
  const field = fields.find((name) => !OWN_FIELDS.includes(name));
  if (field) assertBoardField(call, field, `only the board may change ${field}`);
}

export function assertMayChooseAdapter(
  call: Call,
  fields: { adapterType?: unknown; adapterConfig?: unknown },
): void {
  for (const field of ['adapterType', 'adapterConfig'] as const) {
    if (fields[field] === undefined) continue;
    assertBoardField(call, field, `only the board may choose ${field}: ${PROPOSE}`);
  }
}

const PROPOSE = 'an agent may propose it as proposedAdapter: { adapterType, adapterConfig }';

function assertBoardField({ actor }: Call, field: string, message: string): void {
  if (actor.type === 'agent') throw forbidden('board_only', message, { field });
}

export function assertMayCreateRoutine(call: Call, assigneeAgentId: string): void {
  const message = 'an agent may only create routines that are assigned to itself';
  assertSelfOrBoard(call, assigneeAgentId, message);
}

export function assertOwnRoutine(call: Call, routine: { assigneeAgentId: string }): void {
  const message = 'an agent may only do this with its own routines';
  assertSelfOrBoard(call, routine.assigneeAgentId, message);
}

export function assertMayReassignRoutine({ actor }: Call): void {
  if (actor.type !== 'agent') return;
  throw forbidden('board_only', 'only the board may assign a routine to another agent');
}

export interface PlacedWorkspace {
  cwd: string | null;
  repoUrl: string | null;
  repoSecretId: string | null;
}

/**
 * Agents may not set a host directory if people sign in or WORKSPACE_ROOTS is not set. They may not
 * set a credential or the URL to which git sends it, because an agent could then read the board's
 * secret.
 * @throws ApiError 403 `board_only`
 */
export function assertMayPlaceWorkspace(
  call: Call,
  before: PlacedWorkspace | null,
  body: UpdateWorkspaceBody,
): void {
  const isWritten = (field: 'cwd' | 'repoUrl') =>
    body[field] !== undefined && body[field] !== (before?.[field] ?? null);
  const { authMode, repositories } = call.context.config;
  const isOfBoard = authMode === 'authenticated' || repositories.workspaceRoots === 'any';
  if (isOfBoard && isWritten('cwd')) {
    assertBoardField(call, 'cwd', 'only the board may set the cwd of a workspace');
  }
  if (body.repoCredential !== undefined) {
    const message = 'only the board may set the repoCredential of a workspace';
    assertBoardField(call, 'repoCredential', message);
  }
  if (before?.repoSecretId && isWritten('repoUrl')) {
    const message =
      'only the board may change the repoUrl of a workspace that has a repoCredential';
    assertBoardField(call, 'repoUrl', message);
  }
}

type MadeWorkspace = { createdByAgentId: string | null };

/**
 * With sign-in, allows an agent to change only its own workspaces, because other agents execute a
 * workspace's content with their secrets.
 * @throws ApiError 403 `not_own`
 */
export function assertMayChangeWorkspace(call: Call, { createdByAgentId }: MadeWorkspace): void {
  if (call.context.config.authMode !== 'authenticated') return;
  const message = 'an agent may only change or remove workspaces that it created: ask the board';
  assertSelfOrBoard(call, createdByAgentId, message);
}

/**
 * @throws ApiError 403 `board_only`: the primary workspace decides where the project's work is done
 */
export function assertMayReplacePrimary(call: Call, primary: MadeWorkspace): void {
  const { actor, context } = call;
  if (context.config.authMode !== 'authenticated' || actor.type !== 'agent') return;
  if (primary.createdByAgentId === actor.agentId) return;
  const message =
    'an agent may make another workspace primary only if it created that one and the current primary one: ask the board';
  assertBoardField(call, 'isPrimary', message);
}
