import { ask, type Database, jsonObject, select, statement } from '@switchyard/db';
import type { RunFacts, WakeFacts } from '@switchyard/runner/agents/agent-adapter';
import type { WakeView } from '@switchyard/types';

const MAX_WAKES = 50;

export async function readRunFacts(
  db: Database,
  run: { agentId: string; companyId: string; issueId: string | null; wakes: readonly WakeView[] },
): Promise<RunFacts> {
  const { agentId, companyId, issueId } = run;
  const told = run.wakes.slice(0, MAX_WAKES);
  const [found] = await ask(db, readFacts, {
    agentId,
    companyId,
    issueId,
    issueIds: present(told.map((wake) => wake.issueId)),
    commentIds: present(told.map((wake) => wake.commentId)),
  });
  if (!found) throw new Error('the agent of the run does not exist');
  const { company, issue, issues, comments, ...agent } = found;
  return {
    agent,
    company: { name: company },
    issue,
    wakes: told.map((wake) => factsOf(wake, issues, comments)),
    moreWakes: run.wakes.length - told.length,
  };
}

interface SaidComment {
  id: string;
  body: string;
  author: string | null;
}

function factsOf(
  { source, reason, issueId, commentId, payload }: WakeView,
  issues: NonNullable<WakeFacts['issue']>[],
  comments: SaidComment[],
): WakeFacts {
  const issue = issues.find(({ id }) => id === issueId) ?? null;
  const comment = comments.find(({ id }) => id === commentId);
  const author = comment ? (comment.author ?? 'the board') : null;
  return { source, reason, issue, comment: comment?.body ?? null, author, payload };
}

const present = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];

const AGENT = { name: 'text', role: 'text', title: 'text?', capabilities: 'text?' } as const;
const ISSUE = {
  identifier: 'text',
  title: 'text',
  status: 'text',
  priority: 'text',
  description: 'text?',
} as const;
const WAKE_ISSUE = { id: 'uuid', identifier: 'text', title: 'text', status: 'text' } as const;
const COMMENT = { id: 'uuid', body: 'text' } as const;

const readFacts = statement('read-run-facts', {
  takes: {
    agentId: 'uuid',
    companyId: 'uuid',
    issueId: 'uuid?',
    issueIds: 'uuid[]',
    commentIds: 'uuid[]',
  },
  gives: { ...AGENT, company: 'text', issue: 'json?', issues: 'json', comments: 'json' },
  sql: (p) => `
    SELECT ${select(AGENT, 'a')}, c.name AS company,
      (SELECT ${jsonObject(ISSUE, 'i')}::jsonb FROM issue i
        WHERE i.id = ${p.issueId} AND i.company_id = ${p.companyId}) AS issue,
      (SELECT coalesce(jsonb_agg(${jsonObject(WAKE_ISSUE, 'i')}), '[]') FROM issue i
        WHERE i.id = ANY (${p.issueIds}) AND i.company_id = ${p.companyId}) AS issues,
      (SELECT coalesce(jsonb_agg(${jsonObject(COMMENT, 'm', { author: 'w.name' })}), '[]')
        FROM issue_comment m LEFT JOIN agent w ON w.id = m.author_agent_id
        WHERE m.id = ANY (${p.commentIds}) AND m.company_id = ${p.companyId}) AS comments
    FROM agent a JOIN company c ON c.id = a.company_id
    WHERE a.id = ${p.agentId} AND a.company_id = ${p.companyId}`,
});
