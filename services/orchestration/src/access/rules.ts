import { forbidden } from '@switchyard/server';
import type { UpdateWorkspaceBody } from '@switchyard/types';
import type { Call } from '../call';
import { type Actor, type BoardActor, LOCAL_BOARD } from './actor';
import { SEND_BEARER } from './credentials/misplaced-credential';
import type { CompanyFounders } from './sign-in/sign-in-settings';

/**
 * Who may use a route: anybody, the sender that a webhook's path names, runners, agents, people. Finer rules are functions below. `owner` is the board too, and of its
 * members owners alone may write there: members, invites, the company itself.
 */
export type Access =
  | 'public'
  | 'webhook'
  | 'runner'
  | 'agent-or-board'
  | 'agent'
  | 'board'
  | 'owner';

/** Whether a route asks for no credential of an agent or a person. */
export const isOpen = (access: string): boolean => OPEN.includes(access);

const OPEN = ['public', 'webhook', 'runner'];

/**
 * What a role may do in its company: viewers read, operators write wherever the board may, owners
 * everything. A path without a company (listing and founding companies) is open to every member.
 */
function assertRole(access: Access, actor: BoardActor, reads: boolean, companyId: string | null) {
  if (actor.roles === 'all' || companyId === null || reads) return;
  const role = actor.roles.get(companyId);
  if (role === 'viewer') throw forbidden('forbidden', 'a viewer may only read');
  if (access === 'owner' && role !== 'owner') {
    throw forbidden('forbidden', 'only an owner of the company may do this');
  }
}

/**
 * What a personal token may not do, though its person may: write when it is for reading, change who may sign in, where, and
 * with what, and make an agent's API key, so that no credential of a token that leaked goes on after it was revoked.
 */
function assertToken(actor: BoardActor, reads: boolean, isBrowserOnly: boolean): void {
  if (!actor.token) return;
  if (isBrowserOnly) {
    throw forbidden('forbidden', 'a personal access token may not do this: sign in with a browser');
  }
  if (actor.token.scope === 'read' && !reads) {
    throw forbidden('forbidden', 'the scope of this personal access token is read');
  }
}

/** @throws ApiError 403 `board_only`, or `forbidden` for a role or a token that does not reach so far */
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
      'only the board may do this: ask it in a comment, or by an approval',
    );
  }
  if (access === 'agent' && actor.type !== 'agent') {
    throw forbidden('forbidden', onlyAgents(actor));
  }
  if (actor.type !== 'board') return;
  assertToken(actor, reads, isBrowserOnly);
  assertRole(access, actor, reads, companyId);
}

/** A caller without credential is told that it sent none: it believes to be an agent. */
function onlyAgents(actor: Actor): string {
  const problem = actor === LOCAL_BOARD ? ', and no credential was sent' : '';
  return `only an agent may do this${problem}: ${SEND_BEARER}`;
}

/** Whether a person may use a route of the board that writes, e.g. to offer it. */
export function mayWrite(access: 'board' | 'owner', actor: BoardActor, companyId: string): boolean {
  if (actor.token?.scope === 'read') return false;
  if (actor.roles === 'all') return true;
  const role = actor.roles.get(companyId);
  return role === 'owner' || (role === 'operator' && access === 'board');
}

/** @throws ApiError 403 for a member who does not own the company, where even reading is an owner's alone */
export function assertOwner(actor: Actor, companyId: string): void {
  if (actor.type === 'board') assertRole('owner', actor, false, companyId);
}

/** @throws ApiError 403 `administrators_only` for whoever may not found a company */
export function assertMayFound(actor: Actor, founders: CompanyFounders): void {
  if (founders === 'everybody' || (actor.type === 'board' && actor.isAdministrator)) return;
  throw forbidden(
    'administrators_only',
    'only an administrator of this installation may found a company (COMPANY_FOUNDERS)',
  );
}

/** An agent acts for itself only; the board for any agent of the company. */
export function assertSelfOrBoard(
  { actor }: Call,
  agentId: string | null,
  message = 'an agent may do this for itself only; GET /api/agents/me shows its id',
): void {
  if (actor.type === 'agent' && actor.agentId !== agentId) throw forbidden('not_own', message);
}

/** A request is revised by the agent that made it, or by the board. */
export function assertMayResubmit(call: Call, requestedByAgentId: string | null): void {
  const message = 'only the agent that asked, or the board, may resubmit';
  assertSelfOrBoard(call, requestedByAgentId, message);
}

/** What an agent may say about itself. */
const OWN_FIELDS: readonly string[] = ['title', 'capabilities'];

/** An agent changes its own title and capabilities; the board changes everything of any agent. */
export function assertMayChangeAgent(call: Call, agentId: string, fields: string[]): void {
  assertSelfOrBoard(call, agentId);
  const field = fields.find((name) => !OWN_FIELDS.includes(name));
  if (field) assertBoardField(call, field, `only the board may change ${field}`);
}

/** Which program an agent runs is the board's to choose, also in a request to hire one. */
export function assertMayChooseAdapter(
  call: Call,
  fields: { adapterType?: unknown; adapterConfig?: unknown },
): void {
  for (const field of ['adapterType', 'adapterConfig'] as const) {
    if (fields[field] === undefined) continue;
    assertBoardField(call, field, `only the board may choose ${field}: ${PROPOSE}`);
  }
}

const PROPOSE = 'an agent proposes it as proposedAdapter: { adapterType, adapterConfig }';

/** @throws ApiError 403 `board_only` naming the field that an agent sent */
function assertBoardField({ actor }: Call, field: string, message: string): void {
  if (actor.type === 'agent') throw forbidden('board_only', message, { field });
}

/** An agent makes routines for itself only. */
export function assertMayCreateRoutine(call: Call, assigneeAgentId: string): void {
  const message = 'an agent may create only routines assigned to itself';
  assertSelfOrBoard(call, assigneeAgentId, message);
}

/** An agent changes and fires only what is assigned to it (spec, "Authentication"). */
export function assertOwnRoutine(call: Call, routine: { assigneeAgentId: string }): void {
  const message = 'an agent may do this with its own routines only';
  assertSelfOrBoard(call, routine.assigneeAgentId, message);
}

/** Only the board gives a routine to another agent. */
export function assertMayReassignRoutine({ actor }: Call): void {
  if (actor.type !== 'agent') return;
  throw forbidden('board_only', 'only the board gives a routine to another agent');
}

/** What a workspace is before it is written; null for one that does not exist yet. */
export interface PlacedWorkspace {
  cwd: string | null;
  repoUrl: string | null;
  repoSecretId: string | null;
}

/**
 * An agent names no directory of the host where people sign in, since a company's agents are not its operators, nor
 * where no WORKSPACE_ROOTS bound what it could open to itself.
 * Nor does it name the credential, or the address beside one: git shows a credential to whatever host the address
 * names, so an agent that could write either beside the other would read a secret that is the board's.
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
    assertBoardField(call, 'cwd', 'only the board may say in which directory a workspace lies');
  }
  if (body.repoCredential !== undefined) {
    const message = 'only the board may say which secret opens a repository';
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
 * Colleagues execute what a workspace holds, with their secrets. Where people sign in an agent therefore changes only the
 * workspaces that it made.
 * @throws ApiError 403 `not_own`
 */
export function assertMayChangeWorkspace(call: Call, { createdByAgentId }: MadeWorkspace): void {
  if (call.context.config.authMode !== 'authenticated') return;
  const message = 'an agent may change or remove only workspaces that it made: ask the board';
  assertSelfOrBoard(call, createdByAgentId, message);
}

/** Making another workspace primary changes where all work of the project is done. @throws ApiError 403 `board_only` */
export function assertMayReplacePrimary(call: Call, primary: MadeWorkspace): void {
  const { actor, context } = call;
  if (context.config.authMode !== 'authenticated' || actor.type !== 'agent') return;
  if (primary.createdByAgentId === actor.agentId) return;
  const message = 'only the board may make another workspace primary, unless the agent made both';
  assertBoardField(call, 'isPrimary', message);
}
