import { ask, type Database, isId, statement } from '@switchyard/db';
import { forbidden, invalidField } from '@switchyard/server';
import type { Request } from 'express';
import { type Authenticated, LOCAL_BOARD, mayEnter } from '../kernel/actor';

const HEADER = 'X-Service-Run-Id';

const NOT_LIVE = `${HEADER} must name a live run of the caller`;
const UNSAID =
  ', and no credential was sent: send "Authorization: Bearer <SERVICE_API_KEY>" from within a run';

const namedRun = statement('named-run', {
  takes: { runId: 'uuid' },
  gives: { agentId: 'uuid', companyId: 'uuid' },
  sql: ({ runId }) => `
    SELECT agent_id AS "agentId", company_id AS "companyId" FROM heartbeat_run
    WHERE id = ${runId} AND status = 'running'`,
});

/**
 * Returns the token's run; for an API key or the board, the live run in the header
 * (docs/contract.md, "The run header").
 * @throws ApiError 400 if malformed, 403 if the run is not live or not the caller's
 */
export async function actingRun(
  db: Database,
  caller: Authenticated,
  companyId: string | null,
  request: Request,
): Promise<string | null> {
  const named = request.get(HEADER);
  if (named === undefined) return caller.tokenRunId;
  if (!isId(named)) throw invalidField(HEADER, 'must be a run id');
  if (caller.tokenRunId !== null) {
    if (caller.tokenRunId === named.toLowerCase()) return caller.tokenRunId;
    throw forbidden('forbidden', `${HEADER} must name the run of the token`);
  }
  const [run] = await ask(db, namedRun, { runId: named });
  const { actor } = caller;
  const allowed =
    run &&
    (companyId === null || run.companyId === companyId) &&
    mayEnter(actor, run.companyId) &&
    (actor.type !== 'agent' || run.agentId === actor.agentId);
  if (!allowed) throw forbidden('forbidden', `${NOT_LIVE}${actor === LOCAL_BOARD ? UNSAID : ''}`);
  return named.toLowerCase();
}
