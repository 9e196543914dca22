import { ask, type RowOf, statement } from '@switchyard/db';
import type { MentionOutcome } from '@switchyard/types';
import type { Call } from '../../call';
import { notInvokableReason } from '../../state/agents/lock-agent';
import { agentBudgetSpent, companyBudgetSpent } from '../../state/budgets/spent';
import { type Mention, parseMentions } from './parse-mentions';
import type { CommentText } from './read-comment-text';
import { firstLetters } from './roster';

/**
 * What becomes of each mention of a comment. Agents are read without a lock, because an issue may be locked already: the
 * outcome says what was true at that moment, and what admits the wake, behind the agent's lock, decides.
 */
export async function judgeMentions(call: Call, text: CommentText): Promise<MentionOutcome[]> {
  const letters = firstLetters([...text.blocks, text.unread]);
  if (letters.length === 0) return [];
  const { companyId } = call;
  const roster = await ask(call.db, readRoster, { companyId, letters });
  const mentions = parseMentions(text, roster);
  const agentIds = mentions.flatMap(({ agent }) => agent?.id ?? []);
  const found = agentIds.length > 0 ? await ask(call.db, readMentioned, { agentIds }) : [];
  const byId = new Map(found.map((mentioned) => [mentioned.id, mentioned]));
  return mentions.map((mention) => {
    const { agent, name } = mention;
    const agentId = agent?.id ?? null;
    const mentioned = (agentId && byId.get(agentId)) || null;
    const reason = skipReason(call, mention, mentioned);
    if (reason !== null) return { agentId, name, outcome: 'skipped', reason };
    if (mention.isBoard) return { agentId: null, name, outcome: 'board', reason: null };
    return { agentId, name, outcome: mentioned?.waits ? 'coalesced' : 'woken', reason: null };
  });
}

/** Why a mention reaches nobody; null when it does. The author is the credential's. */
function skipReason(
  { actor }: Call,
  mention: Mention,
  mentioned: RowOf<typeof readMentioned> | null,
): string | null {
  if (mention.beyondLimit) return 'beyond_read_limit';
  if (mention.isBoard) return actor.type === 'board' ? 'self' : null;
  if (!mentioned) return 'ambiguous';
  if (actor.type === 'agent' && actor.agentId === mentioned.id) return 'self';
  return notInvokableReason(mentioned as Parameters<typeof notInvokableReason>[0]);
}

/**
 * The agents that a comment can mean, by the first letter after an `@`. Letters beyond ASCII are folded in other ways
 * here than in PostgreSQL, so names that begin with one are all read.
 */
const readRoster = statement('read-roster', {
  takes: { companyId: 'uuid', letters: 'text[]' },
  gives: { id: 'uuid', name: 'text' },
  sql: ({ companyId, letters }) => `
    SELECT a.id, a.name FROM agent a
    WHERE a.company_id = ${companyId} AND a.status <> 'terminated' AND (
      lower(left(a.name, 1) COLLATE "C") = ANY (${letters})
      OR lower(left(ltrim(a.name, ' _-'), 1) COLLATE "C") = ANY (${letters})
      OR ascii(ltrim(a.name, ' _-')) NOT BETWEEN 33 AND 126)`,
});

const readMentioned = statement('read-mentioned', {
  takes: { agentIds: 'uuid[]' },
  gives: {
    id: 'uuid',
    status: 'text',
    pauseReason: 'text?',
    agentBudgetSpent: 'bool',
    companyStatus: 'text',
    companyBudgetSpent: 'bool',
    waits: 'bool',
  },
  sql: ({ agentIds }) => `
    WITH waiting AS (
      SELECT agent_id FROM heartbeat_run WHERE agent_id = ANY (${agentIds}) AND status = 'queued'
      UNION SELECT agent_id FROM agent_wakeup WHERE agent_id = ANY (${agentIds}) AND status = 'pending'
    )
    SELECT a.id, a.status, a.pause_reason AS "pauseReason", ${agentBudgetSpent('a')} AS "agentBudgetSpent",
      c.status AS "companyStatus", ${companyBudgetSpent('c')} AS "companyBudgetSpent",
      a.id IN (SELECT agent_id FROM waiting) AS waits
    FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = ANY (${agentIds})`,
});
