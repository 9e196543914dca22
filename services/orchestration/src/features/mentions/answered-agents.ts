import { ask, bind, statement, trip } from '@switchyard/db';
import type { MentionOutcome } from '@switchyard/types';
import type { Call, Tx } from '../../kernel/call';
import { lockIssueRow } from '../../state/issues/lock-issue';
import { isOver } from '../../state/statuses/issue-status';
import { foreseeWakes, isForeseenToJoin } from '../../state/wakeups/foresee-wake';

export interface Unnamed {
  wake?: boolean | undefined;
  decided?: readonly string[];
}

export interface AnsweredAgent {
  cause: 'mention_answered' | 'comment';
  outcome: MentionOutcome & { agentId: string };
}

/**
 * Returns, without a lock, the agents that a comment would wake: the assignee, and agents that
 * called the board since a person last wrote.
 */
export async function foreseeAnswered(
  call: Call,
  issueId: string,
  mentions: readonly MentionOutcome[],
  unnamed: Unnamed,
): Promise<AnsweredAgent[]> {
  if (call.actor.type !== 'board' || unnamed.wake === false) return [];
  return judge(call, await ask(call.db, findAnswered, { issueId }), mentions, unnamed);
}

/** Locks the issue first, so that `findAnswered` sees every committed question. */
export async function lockAnswered(
  tx: Tx,
  issueId: string,
  mentions: readonly MentionOutcome[],
  unnamed: Unnamed,
): Promise<AnsweredAgent[]> {
  const lock = bind(lockIssueRow, { issueId });
  return judge(tx, await trip(tx, [lock], findAnswered, { issueId }), mentions, unnamed);
}

interface Concerned {
  agentId: string;
  hasAsked: boolean;
  status: string;
}

async function judge(
  { db, companyId }: Call,
  concerned: Concerned[],
  mentions: readonly MentionOutcome[],
  { wake, decided = [] }: Unnamed,
): Promise<AnsweredAgent[]> {
  const known = mentions.flatMap(({ agentId, reason }) =>
    agentId !== null && reason !== 'beyond_read_limit' ? [agentId] : [],
  );
  const chosen = concerned.filter(
    ({ agentId, hasAsked, status }) =>
      ![...known, ...decided].includes(agentId) && (hasAsked || wake === true || !isOver(status)),
  );
  if (chosen.length === 0) return [];
  const agentIds = chosen.map(({ agentId }) => agentId);
  const foreseen = await foreseeWakes(db, companyId, agentIds);
  const byId = new Map(foreseen.map((agent) => [agent.id, agent]));
  return chosen.flatMap(({ agentId, hasAsked, status }): AnsweredAgent[] => {
    const agent = byId.get(agentId);
    if (!agent) return [];
    const { refusal, waitingRunId } = agent.prospect;
    const joins = isForeseenToJoin(agent.prospect);
    const ended = isOver(status) ? `issue_${status}` : null;
    const outcome = refusal !== null ? 'skipped' : joins ? 'coalesced' : 'woken';
    const heartbeatRunId = refusal === null ? waitingRunId : null;
    const named = { agentId, name: agent.name, heartbeatRunId, wakeupId: null };
    return [
      {
        cause: hasAsked ? 'mention_answered' : 'comment',
        outcome: { ...named, outcome, reason: refusal ?? ended },
      },
    ];
  });
}

const findAnswered = statement('find-answered-agents', {
  takes: { issueId: 'uuid' },
  gives: { agentId: 'uuid', hasAsked: 'bool', status: 'text' },
  sql: ({ issueId }) => `
    SELECT concerned.agent_id AS "agentId", bool_or(concerned.asked) AS "hasAsked", i.status
    FROM issue i CROSS JOIN LATERAL (
      SELECT i.assignee_agent_id AS agent_id, false AS asked WHERE i.assignee_agent_id IS NOT NULL
      UNION ALL
      SELECT c.author_agent_id, true FROM issue_comment c
      WHERE i.board_mention_comment_id IS NOT NULL AND c.issue_id = i.id
        AND c.author_agent_id IS NOT NULL AND c.mentions @> '[{"outcome": "board"}]'
        AND (c.id = i.board_mention_comment_id OR c.created_at > coalesce((
          SELECT p.created_at FROM issue_comment p
          WHERE p.issue_id = i.id AND p.author_user_id IS NOT NULL
          ORDER BY p.created_at DESC, p.id DESC LIMIT 1), '-infinity'))
    ) concerned
    WHERE i.id = ${issueId}
    GROUP BY concerned.agent_id, i.status ORDER BY "hasAsked" DESC, concerned.agent_id`,
});
