import { ask, type RowOf, statement } from '@switchyard/db';
import { conflict, Reply } from '@switchyard/server';
import type { FetchedRunView, FetchWakesQuery } from '@switchyard/types';
import type { Request, Response } from 'express';
import { signRunToken } from '../../../access/run-token';
import { externalConfig } from '../../../adapters/agents/external/external-adapter';
import type { AgentActor } from '../../../kernel/actor';
import type { Context } from '../../../kernel/context';
import type { RequestCall } from '../../../route';
import { budgetWarning } from '../../../state/budgets/budget-warning';
import { claimRun } from '../../../state/runs/claim-run';
import { isReadySql } from '../../../state/runs/claims/claim-order';
import type { ClaimedRun } from '../../../state/runs/claims/claimed-run';
import { traceVariables } from '../../../state/runs/run-trace';
import { wakesOf } from '../../../state/runs/wakes';
import { followEvents } from '../../events/serve-stream';
import { runVariables } from '../execute/run-variables';

type FetchCall = RequestCall<string, AgentActor> & { request: Request; response: Response };

export async function fetchWakes(
  call: FetchCall,
  { wait }: FetchWakesQuery,
): Promise<FetchedRunView | Reply<never>> {
  const fetched = await fetchNext(call);
  if (fetched) return fetched;
  return (wait > 0 && (await fetchWithin(call, wait * 1000))) || nothing();
}

const nothing = () => new Reply(undefined as never, { status: 204 });

const LOOK_MS = 1_000;

async function fetchWithin(call: FetchCall, waitMs: number): Promise<FetchedRunView | null> {
  const end = performance.now() + waitMs;
  return followEvents(call, async ({ news, isOver }) => {
    for (;;) {
      const left = end - performance.now();
      if (left <= 0) return null;
      await news.wait(Math.min(left, LOOK_MS));
      if (isOver()) return null;
      const fetched = await fetchNext(call, () => call.readmit());
      if (fetched) return fetched;
    }
  });
}

async function fetchNext(
  { actor, companyId, context, db, request }: FetchCall,
  admit?: () => Promise<void>,
): Promise<FetchedRunView | null> {
  const { agentId } = actor;
  const [agent] = await ask(db, readFetching, { agentId });
  if (agent?.adapterType !== 'external') throw isServed(agent);
  if (agent.runId === null || request.method === 'HEAD') return null;
  await admit?.();
  const { timeoutSec } = externalConfig.parse(agent.adapterConfig);
  // Reads the warning before the claim: if a later read failed, the token of the claimed run would
  // be lost.
  const alert = agent.hasBudget ? await budgetWarning(db, agentId) : null;
  const waiting = { id: agent.runId, companyId, agentId };
  const run = await claimRun(context, waiting, null, { fetchedForMs: timeoutSec * 1000 });
  return run && present(context, run, timeoutSec, alert);
}

function isServed(agent: RowOf<typeof readFetching> | undefined) {
  const adapterType = agent?.adapterType ?? null;
  const message = `only an agent with the adapter external can fetch wakes; the adapter of this agent is ${adapterType}`;
  return conflict('conflict', message, { adapterType, retry: false });
}

const TOKEN_SLACK_SEC = 600;

function present(
  { config }: Context,
  run: ClaimedRun,
  timeoutSec: number,
  alert: string | null,
): FetchedRunView {
  const { id: runId, companyId, agentId, epoch, issueId, projectId, leaseExpiresAt } = run;
  const claims = { runId, companyId, agentId, epoch };
  const tokenSec = Math.ceil(timeoutSec) + TOKEN_SLACK_SEC;
  const runToken = signRunToken(config.runTokenSecret, claims, tokenSec);
  const about = { companyId, agentId, issueId, projectId, wakes: wakesOf(run) };
  const variables = { ...traceVariables(run), ...runVariables(run, alert) };
  return { runId, runToken, ...about, variables, endsAt: leaseExpiresAt as string };
}

const readFetching = statement('read-fetching-agent', {
  takes: { agentId: 'uuid' },
  gives: { adapterType: 'text', adapterConfig: 'json', runId: 'uuid?', hasBudget: 'bool' },
  sql: ({ agentId }) => `
    SELECT a.adapter_type AS "adapterType", a.adapter_config AS "adapterConfig", r.id AS "runId",
      a.budget_monthly_cents > 0 OR c.budget_monthly_cents > 0 AS "hasBudget"
    FROM agent a JOIN company c ON c.id = a.company_id LEFT JOIN heartbeat_run r ON r.agent_id = a.id AND r.status = 'queued'
      AND ${isReadySql('r')}
    WHERE a.id = ${agentId}`,
});
