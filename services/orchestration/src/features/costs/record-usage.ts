import { type Database, newId } from '@switchyard/db';
import type { UsageReport } from '../../adapters/agents/agent-adapter';
import { THIS_MONTH } from '../../month';

/** Event, agent counter and run totals are one statement, so the spend is the sum of its events (G18). */
const RECORD = `
  WITH run AS (
    UPDATE heartbeat_run SET input_tokens = input_tokens + $6, output_tokens = output_tokens + $7,
      cost_cents = cost_cents + $8
    WHERE id = $2::uuid AND epoch = $3 AND status = 'running'
    RETURNING id, company_id, agent_id, issue_id
  ), event AS (
    INSERT INTO cost_event (id, company_id, agent_id, run_id, issue_id, project_id, goal_id,
      provider, model, input_tokens, output_tokens, cost_cents)
    SELECT $1::uuid, run.company_id, run.agent_id, run.id, run.issue_id, i.project_id, i.goal_id,
      $4, $5, $6, $7, $8
    FROM run LEFT JOIN issue i ON i.id = run.issue_id
    RETURNING company_id, agent_id
  ), month AS (
    INSERT INTO agent_month (company_id, agent_id, month, cost_cents, input_tokens, output_tokens)
    SELECT company_id, agent_id, ${THIS_MONTH}, $8, $6, $7 FROM event
    ON CONFLICT (agent_id, month) DO UPDATE SET
      cost_cents = agent_month.cost_cents + excluded.cost_cents,
      input_tokens = agent_month.input_tokens + excluded.input_tokens,
      output_tokens = agent_month.output_tokens + excluded.output_tokens
  )
  SELECT 1 FROM event`;

/** Answers false when the claim is outdated: then nothing was written. */
export async function recordUsage(
  db: Database,
  run: { id: string; epoch: number },
  usage: UsageReport,
): Promise<boolean> {
  const rows = await db.rows('record-usage', RECORD, [
    newId(),
    run.id,
    run.epoch,
    usage.provider,
    usage.model,
    usage.inputTokens,
    usage.outputTokens,
    usage.costCents,
  ]);
  return rows.length > 0;
}
