import {
  type ActorType,
  LOCAL_BOARD_ID,
  type Role,
  type SigningMode,
  type TokenScope,
} from '@switchyard/types';

type Roles = 'all' | ReadonlyMap<string, Role>;

export type Actor =
  | {
      type: 'board';
      userId: string;
      roles: Roles;
      isAdministrator: boolean;
      token: PersonalToken | null;
    }
  | { type: 'agent'; agentId: string; companyId: string; via: 'run_token' | 'api_key' }
  | WebhookActor
  | RunnerActor
  | { type: 'public' }
  | { type: 'system' };

export interface PersonalToken {
  id: string;
  scope: TokenScope;
}

export interface WebhookActor {
  type: 'webhook';
  triggerId: string;
  routineId: string;
  companyId: string;
  mayJoin: boolean;
  signingMode: SigningMode;
  /** Version of the verified secret, because the secret may be rotated before the firing. */
  secretVersion: number;
  /**
   * The signature is valid once, until `expiresAt` (Unix time in ms). Null if the request contains
   * the secret instead of a signature.
   */
  signature: { digest: Uint8Array; expiresAt: number } | null;
}

/**
 * The runner of a company or, if `runnerId` is null, of the installation. The installation's
 * runners serve every company.
 */
export interface RunnerActor {
  type: 'runner';
  runnerId: string | null;
  companyId: string | null;
  /** Null for the installation's runner, because it reports its labels itself. */
  labels: string[] | null;
  /** The only claim that a run pod may act for; null for other runners. */
  pod: PodClaim | null;
}

export interface PodClaim {
  runId: string;
  epoch: number;
  companyId: string;
  hash: Uint8Array<ArrayBuffer>;
  isRedeemed: boolean;
}

export type AgentActor = Extract<Actor, { type: 'agent' }>;
export type BoardActor = Extract<Actor, { type: 'board' }>;

export interface Authenticated {
  actor: Actor;
  tokenRunId: string | null;
  /** The token's run, if that run is being stopped but may still clean up; otherwise null. */
  pausedFor: string | null;
}

export const LOCAL_BOARD: BoardActor = {
  type: 'board',
  userId: LOCAL_BOARD_ID,
  roles: 'all',
  isAdministrator: true,
  token: null,
};

export const personActor = (userId: string): BoardActor => ({
  type: 'board',
  userId,
  roles: new Map(),
  isAdministrator: false,
  token: null,
});

export const SYSTEM: Actor = { type: 'system' };

export function mayEnter(actor: Actor, companyId: string): boolean {
  if (actor.type === 'agent' || actor.type === 'webhook') return actor.companyId === companyId;
  if (actor.type === 'runner') return actor.companyId === null || actor.companyId === companyId;
  if (actor.type === 'board') return actor.roles === 'all' || actor.roles.has(companyId);
  return true;
}

export function createdBy({ actor }: { actor: Actor }) {
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
