import { ask, isId, statement } from '@switchyard/db';
import type { MentionOutcome } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { isOpenSql } from '../../state/statuses/issue-status';
import {
  type Foreseen,
  foreseeWakes,
  isForeseenToJoin,
  NO_WAKE,
} from '../../state/wakeups/foresee-wake';
import { nearNames } from './near-names';
import { readHandles } from './parse-mentions';
import type { CommentText } from './read-comment-text';
import { firstLetters } from './roster';

/**
 * Reads agents without a lock, because the issue may already be locked. When a wake is admitted,
 * the decision is made again under the agent's lock.
 */
export async function judgeMentions(
  call: Call,
  issueId: string,
  text: CommentText,
): Promise<MentionOutcome[]> {
  const { mentions: named, strangers } = await mentionsByName(call, text);
  const mentions = [...named, ...text.links];
  const agentIds = mentions.flatMap(({ agentId }) => (agentId && isId(agentId) ? [agentId] : []));
  const { db, companyId } = call;
  const found = agentIds.length > 0 ? await foreseeWakes(db, companyId, agentIds) : [];
  const byId = new Map(found.map((agent) => [agent.id, agent]));
  const ended = found.length > 0 ? await readEnd(call, issueId) : null;
  const known = onceEach(mentions).map((mention): MentionOutcome => {
    const agent = (mention.agentId !== null && byId.get(mention.agentId)) || null;
    const [agentId, name] = [agent?.id ?? null, agent?.name ?? mention.name];
    const reason = skipReason(call, mention, agent);
    if (reason !== null) return { agentId, name, outcome: 'skipped', reason, ...NO_WAKE };
    if (agent === null) return { agentId, name, outcome: 'board', reason: null, ...NO_WAKE };
    const outcome = isForeseenToJoin(agent.prospect) ? 'coalesced' : 'woken';
    const heartbeatRunId = agent.prospect.waitingRunId;
    return { agentId, name, outcome, reason: ended, heartbeatRunId, wakeupId: null };
  });
  return [...known, ...(await misspelt(call, strangers))];
}

interface Mentioned {
  agentId: string | null;
  isBoard?: boolean;
  name: string;
  beyondLimit: boolean;
}

async function mentionsByName(
  call: Call,
  text: CommentText,
): Promise<{ mentions: Mentioned[]; strangers: string[] }> {
  const letters = firstLetters([...text.blocks, text.unread]);
  if (letters.length === 0) return { mentions: [], strangers: [] };
  const { companyId } = call;
  const roster = await ask(call.db, readRoster, { companyId, letters });
  const { mentions, strangers } = readHandles(text, roster);
  const byId = mentions.map(({ agent, ...mention }) => ({
    ...mention,
    agentId: agent?.id ?? null,
  }));
  return { mentions: byId, strangers };
}

/**
 * A mention on a finished issue still wakes the agent; the response warns that the issue cannot be
 * checked out.
 */
async function readEnd({ db }: Call, issueId: string): Promise<string | null> {
  const [issue] = await ask(db, readIssueEnd, { issueId });
  return issue ? `issue_${issue.status}` : null;
}

/**
 * Returns only words that resemble an agent's name; other words are annotations, packages or people
 * outside the company.
 */
async function misspelt({ db, companyId }: Call, strangers: string[]): Promise<MentionOutcome[]> {
  if (strangers.length === 0) return [];
  const names = (await ask(db, readNames, { companyId })).map(({ name }) => name);
  return strangers.flatMap((handle): MentionOutcome[] => {
    const near = nearNames(handle, names);
    if (near.length === 0) return [];
    const reason = 'unknown_agent';
    return [{ agentId: null, name: handle, outcome: 'unknown', reason, near, ...NO_WAKE }];
  });
}

function onceEach(mentions: Mentioned[]): Mentioned[] {
  const read = mentions.filter(({ beyondLimit }) => !beyondLimit);
  const unread = mentions.filter(({ beyondLimit }) => beyondLimit);
  const once = new Map<string, Mentioned>();
  for (const mention of [...read, ...unread]) {
    const key = mention.agentId ?? `name ${mention.name}`;
    if (!once.has(key)) once.set(key, mention);
  }
  return [...once.values()];
}

function skipReason(
  { actor }: Call,
  { agentId, beyondLimit, isBoard }: Mentioned,
  agent: Foreseen | null,
): string | null {
  if (beyondLimit) return 'beyond_read_limit';
  if (isBoard) return actor.type === 'board' ? 'self' : null;
  if (!agent) return agentId === null ? 'ambiguous' : 'unknown_agent';
  if (actor.type === 'agent' && actor.agentId === agent.id) return 'self';
  return agent.prospect.refusal;
}

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

const readIssueEnd = statement('read-issue-end', {
  takes: { issueId: 'uuid' },
  gives: { status: 'text' },
  sql: ({ issueId }) =>
    `SELECT status FROM issue WHERE id = ${issueId} AND NOT ${isOpenSql('issue')}`,
});

const readNames = statement('read-agent-names', {
  takes: { companyId: 'uuid' },
  gives: { name: 'text' },
  sql: ({ companyId }) => `
    SELECT a.name FROM agent a
    WHERE a.company_id = ${companyId} AND a.status <> 'terminated' LIMIT 2000`,
});
