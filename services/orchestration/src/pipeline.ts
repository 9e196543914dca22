import {
  conflict,
  declareRoute,
  ERROR_STATUS,
  extendLogContext,
  type ParameterOf,
  type Pipeline,
  type Route,
  type RouteCall,
  type RouteDeclaration,
  refusalFrom,
  type Schemas,
} from '@switchyard/server';
import type { Request, Response } from 'express';
import { ACTING_AS, actingAs } from './access/acting-as';
import type {
  Actor,
  AgentActor,
  Authenticated,
  BoardActor,
  RunnerActor,
  WebhookActor,
} from './access/actor';
import { authenticate, type Gate } from './access/authenticate';
import { authenticateRunner } from './access/credentials/runner-tokens';
import { keyedRequest, once } from './access/idempotency';
import { maskBody, withCredential } from './access/mask-body';
import type { RateLimits } from './access/network/rate-limits';
import { assertScoped, createKnownOwners, findCompanyStatus, resolveScope } from './access/owners';
import { explainReference } from './access/references';
import { type Access, assertAccess, isOpen } from './access/rules';
import { actingRun } from './access/run-header';
import { secretsOf } from './access/seal';
import type { Call } from './call';
import type { Context } from './context';
import { EVENT_POSITION } from './features/events/position';
import { authenticateWebhook } from './features/routines/webhook/authenticate-webhook';
import type { RunMasks } from './features/runs/run-masks';
import { companyArchived } from './state/companies/archived';

/** `companyId` is null where the path names no company and no agent calls. */
export interface RequestCall<
  Company extends string | null = string | null,
  Caller extends Actor = Actor,
> extends Call<Company> {
  readonly actor: Caller;
  /** Null if not read: GETs, and routes with `refusesArchived`. */
  companyStatus: 'active' | 'paused' | 'archived' | null;
  keyForSec?: number;
  /**
   * Authenticates and scopes the request again, for long answers. @throws ApiError when it would
   * not be admitted now
   */
  readmit(): Promise<void>;
}

type Word = 'adapterType' | 'checkId' | 'itemId' | 'key' | 'sessionId' | 'token' | 'tokenId';
type NamesCompany<Path extends string> = [Exclude<ParameterOf<Path>, Word>] extends [never]
  ? false
  : true;
type CompanyOf<Path extends string, Who> = Who extends 'runner'
  ? string | null
  : true extends NamesCompany<Path> | (Who extends 'agent' ? true : false)
    ? string
    : string | null;
type CallerOf<Who> = Who extends 'agent'
  ? AgentActor
  : Who extends 'board' | 'owner'
    ? BoardActor
    : Who extends 'webhook'
      ? WebhookActor
      : Who extends 'runner'
        ? RunnerActor
        : Actor;

export type OrchestrationRoute = Route<RequestCall, Access>;

export function route<
  const Path extends string,
  Who extends Access,
  Query = Record<string, never>,
  Body = Record<string, never>,
  Result = unknown,
  Others extends Schemas = Record<never, never>,
  Found = undefined,
>(
  declared: RouteDeclaration<
    RequestCall<CompanyOf<Path, Who>, CallerOf<Who>>,
    Who,
    Path,
    Query,
    Body,
    Result,
    Others,
    Found
  >,
): OrchestrationRoute {
  return declareRoute<RequestCall, Access>(declared);
}

const PUBLIC: Authenticated = { actor: { type: 'public' }, tokenRunId: null, pausedFor: null };

export type PipelineParts = Gate & {
  limits: RateLimits;
  runMasks: RunMasks;
  context: Context;
  /** True on the worker's listener: elsewhere only companies' runners are known. */
  servesOwnRunners?: boolean;
};

function identify(
  parts: PipelineParts,
  access: Access,
  request: Request,
): Authenticated | Promise<Authenticated> {
  if (access === 'public') return PUBLIC;
  if (access === 'webhook') return authenticateWebhook(parts.context, request);
  if (access === 'runner') {
    return authenticateRunner(parts.context, request, parts.servesOwnRunners === true);
  }
  return authenticate(parts, request);
}

/**
 * Counts for the caller once known, otherwise for the address, so that forgers cannot use up the
 * real caller's limit. @throws ApiError 401, 429
 */
export async function identifyCounted(
  parts: PipelineParts,
  access: Access,
  request: Request,
  response: Response,
): Promise<Authenticated> {
  const { limits } = parts;
  let caller: Authenticated;
  try {
    caller = await identify(parts, access, request);
  } catch (error) {
    const isOurFault = ERROR_STATUS[refusalFrom(error).code] >= 500;
    if (!isOurFault) await limits.unknown(request);
    throw error;
  }
  const actor = actingAs(caller.actor);
  response.setHeader(ACTING_AS, actor);
  extendLogContext({ actor });
  const counted = caller === PUBLIC ? limits.unknown(request) : limits.known(caller);
  if (counted) await counted;
  return caller;
}

/** A paused agent's API keys may read but not write. @throws ApiError 409 `agent_paused` */
function refusePaused(mounted: Route<RequestCall>, { pausedFor }: Authenticated): void {
  if (pausedFor === null || mounted.method === 'GET' || mounted.allowPaused) return;
  const details = { pauseReason: pausedFor, retry: false };
  throw conflict(
    'agent_paused',
    'the agent is paused and may only read, until the board resumes it',
    details,
  );
}

async function maskedBody(
  { runMasks }: PipelineParts,
  mounted: Route<RequestCall>,
  call: RouteCall<RequestCall, unknown, unknown>,
): Promise<unknown> {
  if (call.actor.type !== 'agent' || mounted.method === 'GET' || mounted.read) return call.body;
  const ofRun = call.runId === null ? null : await runMasks.of(call.runId);
  const credential = call.request.get('authorization')?.split(' ')[1] ?? null;
  const mask = withCredential(ofRun, credential);
  return mask ? maskBody(mounted.body, call.body, mask) : call.body;
}

/** Reads, replays and verbs that check it in their own statement need no company status. */
function needsNoStatus(mounted: Route<RequestCall>, request: Request): boolean {
  if (mounted.method === 'GET') return true;
  return mounted.refusesArchived === true && request.get('idempotency-key') === undefined;
}

function refuseArchived(mounted: Route<RequestCall>, status: RequestCall['companyStatus']): void {
  if (status === 'archived' && mounted.method !== 'GET' && !mounted.allowArchived)
    throw companyArchived();
}

export function orchestrationPipeline(parts: PipelineParts): Pipeline<RequestCall> {
  const { db } = parts;
  const owners = { db, known: createKnownOwners() };
  const { runTokenSecret, oldRunTokenSecret } = parts.config;
  const secrets = secretsOf(runTokenSecret, oldRunTokenSecret);
  return {
    check: (mounted) => assertScoped(mounted.path),

    admit: async (mounted, request, response) => {
      const access = mounted.access as Access;
      const params = request.params as Record<string, string>;
      const mayRecall = needsNoStatus(mounted, request);
      const admitted = async (caller: Authenticated) => {
        // Runner calls are authorised by ticket in the statement that writes.
        if (access === 'runner') return null;
        const scope = await resolveScope(owners, caller.actor, params, mayRecall);
        const reads = mounted.method === 'GET';
        const companyId = scope?.companyId ?? null;
        assertAccess(access, caller.actor, reads, companyId, mounted.browserOnly);
        refusePaused(mounted, caller);
        return scope;
      };
      const caller = await identifyCounted(parts, access, request, response);
      const scope = await admitted(caller);
      const ownCompany = 'companyId' in caller.actor ? caller.actor.companyId : null;
      const companyId = scope?.companyId ?? ownCompany;
      extendLogContext({ ...(companyId && { companyId }) });
      // Known without a query while this process follows the company.
      const position = companyId && parts.context.changes.positionOf(companyId);
      if (position) response.setHeader(EVENT_POSITION, position);
      const runId = isOpen(access)
        ? null
        : await actingRun(db, caller, scope?.companyId ?? null, request);
      extendLogContext({ ...(runId && { runId }) });
      return {
        context: parts.context,
        db,
        actor: caller.actor,
        companyId,
        companyStatus: scope?.companyStatus ?? null,
        runId,
        readmit: async () => void (await admitted(await identify(parts, access, request))),
      };
    },

    run: async (mounted, call, handle) => {
      refuseArchived(mounted, call.companyStatus);
      const { method, path } = call.request;
      const { keyForSec } = call;
      const isKeyed = mounted.idempotent !== false && (method === 'POST' || keyForSec);
      const key = isKeyed ? call.request.get('idempotency-key') : undefined;
      const keyed = keyedRequest(secrets, call, path, key, call.body, keyForSec);
      try {
        const body = await maskedBody(parts, mounted, call);
        if (!keyed) return await handle(body === call.body ? call : { ...call, body });
        return await once(db, secrets, keyed, mounted.status, (inside) =>
          handle({ ...call, body, db: inside }),
        );
      } catch (error) {
        // `company_archived` has priority over other errors.
        if (mounted.refusesArchived && call.companyStatus === null && call.companyId !== null) {
          refuseArchived(mounted, await findCompanyStatus(db, call.companyId));
        }
        throw await explainReference(db, error, call.companyId, call.body);
      }
    },
  };
}
