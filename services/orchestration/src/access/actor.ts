import {
  type ActorType,
  LOCAL_BOARD_ID,
  type Role,
  type SigningMode,
  type TokenScope,
} from '@switchyard/types';
import type { Call } from '../call';

/** What a board operator may do where: its memberships, or everything everywhere in local trusted mode. */
type Roles = 'all' | ReadonlyMap<string, Role>;

/** Who calls. Decided once, by the credential alone. */
export type Actor =
  | {
      type: 'board';
      userId: string;
      roles: Roles;
      isAdministrator: boolean;
      /** The personal token that it came with; null for a browser, and for the board of local trusted mode. */
      token: PersonalToken | null;
    }
  | { type: 'agent'; agentId: string; companyId: string; via: 'run_token' | 'api_key' }
  | WebhookActor
  | RunnerActor
  | { type: 'public' }
  | { type: 'system' };

/** What a program holds of a person's rights. */
export interface PersonalToken {
  id: string;
  scope: TokenScope;
}

/** The sender of a webhook, known by the secret of the trigger. */
export interface WebhookActor {
  type: 'webhook';
  triggerId: string;
  routineId: string;
  companyId: string;
  /** Whether its firings may be recorded with the routine's active run instead of starting one. */
  mayJoin: boolean;
  signingMode: SigningMode;
  /** Which of the trigger's secrets it knows; a rotation may come before it has fired. */
  secretVersion: number;
  /** What is good once, until its timestamp is too old, in milliseconds since 1970; null where the secret itself was sent. */
  signature: { digest: Uint8Array; expiresAt: number } | null;
}

/** A program that executes runs; without `runnerId` the installation's own, which serves every company. */
export interface RunnerActor {
  type: 'runner';
  runnerId: string | null;
  companyId: string | null;
  /** What the board gave it; null for the installation's own, which says itself what it has. */
  labels: string[] | null;
  /** The one claim that a run pod may act for; null for a program that serves many runs. */
  pod: PodClaim | null;
}

/** The claim of a run by a run pod. */
export interface PodClaim {
  runId: string;
  epoch: number;
  companyId: string;
  /** The digest of what was shown, as it is stored. */
  hash: Uint8Array<ArrayBuffer>;
  /** False for whoever shows the one-use ticket itself, which is good for being redeemed and nothing else. */
  isRedeemed: boolean;
}

export type AgentActor = Extract<Actor, { type: 'agent' }>;
export type BoardActor = Extract<Actor, { type: 'board' }>;

/** Who calls, and what else its credential tells. */
export interface Authenticated {
  actor: Actor;
  /** The run of a run token; an API key and the board have none of their own. */
  tokenRunId: string | null;
  /**
   * Why the agent of an API key is paused; null for one that is not, and for everybody else: the run of a
   * token is being stopped, and until then may put in order what it holds.
   */
  pausedFor: string | null;
}

/** The board of local trusted mode: whoever reaches the loopback address. */
export const LOCAL_BOARD: BoardActor = {
  type: 'board',
  userId: LOCAL_BOARD_ID,
  roles: 'all',
  isAdministrator: true,
  token: null,
};

/** Somebody who acts on its own account, where no company's rights are asked for. */
export const personActor = (userId: string): BoardActor => ({
  type: 'board',
  userId,
  roles: new Map(),
  isAdministrator: false,
  token: null,
});

export const SYSTEM: Actor = { type: 'system' };

/** Whether a company is one of the caller's own (spec, "Company scoping"). */
export function mayEnter(actor: Actor, companyId: string): boolean {
  if (actor.type === 'agent' || actor.type === 'webhook') return actor.companyId === companyId;
  if (actor.type === 'runner') return actor.companyId === null || actor.companyId === companyId;
  if (actor.type === 'board') return actor.roles === 'all' || actor.roles.has(companyId);
  return true;
}

/** The columns that say who made a row. */
export function createdBy(call: Call) {
  const { actor } = call;
  return {
    createdByAgentId: actor.type === 'agent' ? actor.agentId : null,
    createdByUserId: actor.type === 'board' ? actor.userId : null,
  };
}

export function actorColumns(actor: Actor): { actorType: ActorType; actorId: string | null } {
  if (actor.type === 'agent') return { actorType: 'agent', actorId: actor.agentId };
  if (actor.type === 'board') return { actorType: 'user', actorId: actor.userId };
  return { actorType: actor.type === 'webhook' ? 'webhook' : 'system', actorId: null };
}
