import {
  ApiError,
  conflict,
  ERROR_STATUS,
  extendLogContext,
  type Pipeline,
  type Route,
  type RouteCall,
  refusalFrom,
} from '@switchyard/server';
import type { Request, Response } from 'express';
import { ACTING_AS, actingAs } from '../access/acting-as';
import { authenticate, type Gate } from '../access/authenticate';
import { authenticateRunner } from '../access/credentials/runner-tokens';
import { keyedRequest, once } from '../access/idempotency';
import { maskBody, withCredential } from '../access/mask-body';
import { rateLimits } from '../access/network/rate-limits';
import { assertScoped, createKnownOwners, resolveScope } from '../access/owners';
import { type Access, assertAccess, isOpen } from '../access/rules';
import { actingRun } from '../access/run-header';
import { secretsOf } from '../access/seal';
import { changeFeeds } from '../features/changes/change-feeds';
import { EVENT_POSITION } from '../features/events/position';
import { authenticateWebhook } from '../features/routines/webhook/authenticate-webhook';
import { runMasks } from '../features/runs/run-masks';
import type { Authenticated } from '../kernel/actor';
import type { RequestCall } from '../route';
import { assertNotArchived, companyArchived } from '../state/companies/archived';
import { assertNotDeleted } from '../state/companies/deleted';
import { explainReference } from '../state/references';

const PUBLIC: Authenticated = { actor: { type: 'public' }, tokenRunId: null, pausedFor: null };

export type PipelineParts = Gate & {
  /** True on the worker's listener; other listeners only accept companies' runners. */
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
 * Counts the request for the caller if it is identified, otherwise for the address, so that forged
 * requests cannot use up a caller's limit.
 * @throws ApiError 401, 429
 */
export async function identifyCounted(
  parts: PipelineParts,
  access: Access,
  request: Request,
  response: Response,
): Promise<Authenticated> {
  const limits = rateLimits(parts.context);
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
  { context }: PipelineParts,
  mounted: Route<RequestCall>,
  call: RouteCall<RequestCall, unknown, unknown>,
): Promise<unknown> {
  if (call.actor.type !== 'agent' || mounted.method === 'GET' || mounted.read) return call.body;
  const ofRun = call.runId === null ? null : await runMasks(context).of(call.runId);
  const credential = call.request.get('authorization')?.split(' ')[1] ?? null;
  const mask = withCredential(ofRun, credential);
  return mask ? maskBody(mounted.body, call.body, mask) : call.body;
}

/**
 * True for GETs and, if the request has no Idempotency-Key, for verbs whose statement checks the
 * company's status.
 */
function needsNoStatus(mounted: Route<RequestCall>, request: Request): boolean {
  if (mounted.method === 'GET') return true;
  return mounted.refusesArchived === true && request.get('idempotency-key') === undefined;
}

/**
 * Only these callers keep their credentials when a company is deleted, so for them a cached company
 * may no longer exist. A route with `refusesDeleted` checks this in the statement that reads.
 */
const seesAll = ({ actor }: Authenticated) => actor.type === 'board' && actor.roles === 'all';

function refuseArchived(mounted: Route<RequestCall>, status: RequestCall['companyStatus']): void {
  if (status === 'archived' && mounted.method !== 'GET' && !mounted.allowArchived)
    throw companyArchived();
}

export function orchestrationPipeline(parts: PipelineParts): Pipeline<RequestCall> {
  const { db, config } = parts.context;
  const owners = { db, known: createKnownOwners() };
  const { runTokenSecret, oldRunTokenSecret } = config;
  const secrets = secretsOf(runTokenSecret, oldRunTokenSecret);
  return {
    check: (mounted) => assertScoped(mounted.path),

    admit: async (mounted, request, response) => {
      const access = mounted.access as Access;
      const params = request.params as Record<string, string>;
      const mayRecall = needsNoStatus(mounted, request);
      const admitted = async (caller: Authenticated, isAgain = false) => {
        // Runner calls are authorised by their ticket, in the statement that writes.
        if (access === 'runner') return null;
        const reads = mounted.method === 'GET';
        const isChecked = mounted.refusesDeleted === true && !isAgain;
        const mayCache = mayRecall && (!reads || isChecked || !seesAll(caller));
        const scope = await resolveScope(owners, caller.actor, params, mayCache);
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
      const position = companyId && changeFeeds(parts.context).positionOf(companyId);
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
        readmit: async () => void (await admitted(await identify(parts, access, request), true)),
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
        const { companyId, companyStatus } = call;
        const wasUnread = mounted.refusesArchived === true && companyStatus === null;
        if (companyId !== null && (wasUnread || !(error instanceof ApiError))) {
          await assertNotDeleted(db, companyId);
          if (wasUnread) await assertNotArchived(db, companyId);
        }
        if (mounted.refusesDeleted && refusalFrom(error).code === 'not_found') await call.readmit();
        throw await explainReference(db, error, call.companyId, call.body);
      }
    },
  };
}
