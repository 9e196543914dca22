import { type Database, isId } from '@switchyard/db';
import { forbidden, invalidField } from '@switchyard/server';
import type { Request } from 'express';
import { type Authenticated, mayEnter } from './actor';

const HEADER = 'X-Service-Run-Id';

const LIVE = `
  SELECT agent_id, company_id FROM heartbeat_run WHERE id = $1::uuid AND status = 'running'`;

/**
 * The run a caller acts in (contract, "Behaviour" 3): a run token's own; for an API key and the board
 * the live run that the header names.
 * @throws ApiError 400 malformed, 403 not the caller's or not live
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
    throw forbidden('forbidden', `${HEADER} names another run than the token's`);
  }
  const [run] = await db.rows<{ agent_id: string; company_id: string }>('acting-run', LIVE, [
    named,
  ]);
  const { actor } = caller;
  const allowed =
    run &&
    (companyId === null || run.company_id === companyId) &&
    mayEnter(actor, run.company_id) &&
    (actor.type !== 'agent' || run.agent_id === actor.agentId);
  if (!allowed) throw forbidden('forbidden', `${HEADER} does not name a live run of the caller`);
  return named.toLowerCase();
}
