import type { HeartbeatRunModel, Reader } from '@switchyard/db';
import type { WakeReason } from '@switchyard/types';
import { signRunToken } from '../../access/run-token';
import type { AgentEnvironment } from '../../adapters/agents/agent-environment';
import type { Config } from '../../config';

/** Longer than any run may take; the token dies with the run anyway. */
const TOKEN_SLACK_SEC = 600;
const DEFAULT_TIMEOUT_SEC = 3_600;

export interface RunEnvironment {
  variables: Record<string, string>;
  /** Values that must not appear in any stored output. */
  secrets: string[];
}

function commentIds(reasons: WakeReason[]): string | null {
  const ids = reasons.flatMap((wake) => (wake.commentId ? [wake.commentId] : []));
  return ids.length > 0 ? ids.join(',') : null;
}

/** The literal values of the configuration's `env`, checked when the configuration was written. */
function ownVariables(adapterConfig: Record<string, unknown>): Record<string, string> {
  const env = (adapterConfig.env ?? {}) as AgentEnvironment;
  const literals = Object.entries(env).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(literals) as Record<string, string>;
}

/** What an agent process receives (contract, "Behaviour" 10), and nothing of ours besides (G23). */
export async function runEnvironment(
  config: Config,
  db: Reader,
  run: HeartbeatRunModel,
  adapterConfig: Record<string, unknown>,
): Promise<RunEnvironment> {
  const timeoutSec = Number(adapterConfig.timeoutSec ?? DEFAULT_TIMEOUT_SEC);
  const { id: runId, agentId, companyId, epoch } = run;
  const claims = { runId, agentId, companyId, epoch };
  const token = signRunToken(config.runTokenSecret, claims, timeoutSec + TOKEN_SLACK_SEC);
  const issue = run.issueId
    ? await db.issue.findUnique({ where: { id: run.issueId }, select: { projectId: true } })
    : null;
  const reasons = run.wakeReasons as WakeReason[];
  const payload = reasons.findLast((wake) => wake.payload)?.payload;
  const own = ownVariables(adapterConfig);
  const optional = {
    SERVICE_ISSUE_ID: run.issueId,
    SERVICE_PROJECT_ID: issue?.projectId ?? null,
    SERVICE_WAKE_COMMENT_IDS: commentIds(reasons),
    SERVICE_WAKE_PAYLOAD: payload ? JSON.stringify(payload) : null,
  };
  const present = Object.entries(optional).filter(([, value]) => value !== null);
  return {
    variables: {
      ...own,
      SERVICE_API_URL: config.publicUrl,
      SERVICE_API_KEY: token,
      SERVICE_COMPANY_ID: companyId,
      SERVICE_AGENT_ID: agentId,
      SERVICE_RUN_ID: runId,
      SERVICE_WAKE_REASON: reasons[0]?.reason ?? run.source,
      ...(Object.fromEntries(present) as Record<string, string>),
    },
    secrets: [token, ...Object.values(own)],
  };
}
