import type { Transaction } from '@switchyard/db';
import type { MentionOutcome } from '@switchyard/types';
import type { Call, Tx } from '../../call';
import { type LockedAgent, notInvokableReason } from '../../state/agents/lock-agent';
import { agentBudgetSpent, companyBudgetSpent } from '../../state/budgets/spent';
import { recordWakeups } from '../../state/wakeups/record-wakeups';
import { type Mention, parseMentions } from './parse-mentions';
import type { CommentText } from './read-comment-text';

type Company = Pick<LockedAgent, 'companyStatus' | 'companyBudgetSpent'>;
type RosterEntry = Pick<LockedAgent, 'id' | 'name' | 'status' | 'pauseReason' | 'agentBudgetSpent'>;

async function readRoster(tx: Transaction, companyId: string): Promise<RosterEntry[]> {
  return tx.prisma.$queryRaw<RosterEntry[]>`
    SELECT a.id, a.name, a.status, a.pause_reason AS "pauseReason",
      ${agentBudgetSpent('a')} AS "agentBudgetSpent"
    FROM agent a WHERE a.company_id = ${companyId}::uuid AND a.status <> 'terminated'`;
}

async function readCompany(tx: Transaction, companyId: string): Promise<Company> {
  const [company] = await tx.prisma.$queryRaw<[Company]>`
    SELECT c.status AS "companyStatus", ${companyBudgetSpent('c')} AS "companyBudgetSpent"
    FROM company c WHERE c.id = ${companyId}::uuid`;
  return company;
}

/** Why a mention wakes nobody; null when it wakes. The author is who the credential says (G11). */
function skipReason(
  call: Call,
  company: Company,
  roster: Map<string, RosterEntry>,
  mention: Mention,
): string | null {
  const { actor } = call;
  const entry = mention.agent && roster.get(mention.agent.id);
  if (mention.beyondLimit) return 'beyond_read_limit';
  if (!entry) return 'ambiguous';
  if (actor.type === 'agent' && actor.agentId === entry.id) return 'self';
  return notInvokableReason({ ...entry, ...company });
}

/** Agents whose next run will serve this wake together with earlier ones. */
async function alreadyWaiting(tx: Transaction, agentIds: string[]): Promise<Set<string>> {
  const rows = await tx.prisma.$queryRaw<{ id: string }[]>`
    SELECT agent_id AS id FROM heartbeat_run
    WHERE agent_id = ANY (${agentIds}::uuid[]) AND status = 'queued'
    UNION SELECT agent_id FROM agent_wakeup
    WHERE agent_id = ANY (${agentIds}::uuid[]) AND status = 'pending'`;
  return new Set(rows.map((row) => row.id));
}

/**
 * Records the wakes of a comment and answers what becomes of each mention (guarantees G7, G11, G12).
 * Agents are read without a lock, because an issue may be locked already: the outcome says what was true
 * at that moment, and admission, which holds the lock, decides.
 */
export async function wakeMentioned(
  tx: Tx,
  comment: { id: string; issueId: string; text: CommentText },
): Promise<MentionOutcome[]> {
  const { companyId } = tx;
  if (comment.text.blocks.length === 0 && comment.text.unread === '') return [];
  const roster = await readRoster(tx, companyId);
  const mentions = parseMentions(comment.text, roster);
  if (mentions.length === 0) return [];
  const company = await readCompany(tx, companyId);
  const byId = new Map(roster.map((entry) => [entry.id, entry]));
  const judged = mentions.map((mention) => {
    const reason = skipReason(tx, company, byId, mention);
    return { agentId: mention.agent?.id ?? null, name: mention.name, reason };
  });
  const agentIds = judged.flatMap(({ agentId, reason }) =>
    agentId !== null && reason === null ? [agentId] : [],
  );
  const waiting = await alreadyWaiting(tx, agentIds);
  const { id: commentId, issueId } = comment;
  const wakes = { agentIds, source: 'mention' as const, issueId, commentId };
  const recorded = await recordWakeups(tx, wakes);
  return judged.map(({ agentId, name, reason }) => {
    const skipped = reason ?? (recorded === 'hop_limit' ? 'hop_limit' : null);
    if (skipped !== null) return { agentId, name, outcome: 'skipped', reason: skipped };
    const outcome = waiting.has(agentId as string) ? 'coalesced' : 'woken';
    return { agentId, name, outcome, reason: null };
  });
}
