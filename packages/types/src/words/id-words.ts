/**
 * Explains where to find the id, because people and models often send a name or an identifier
 * instead.
 */
export function idWords(path: readonly PropertyKey[] | undefined, input: unknown): string {
  const field = String(path?.findLast((part) => typeof part === 'string') ?? '');
  const place = typeof input === 'string' ? placeOfId(field, input) : null;
  return place === null ? ID : `${ID}: ${place}`;
}

const ID = 'must be an id (a UUID)';

const IDENTIFIER = /^[a-z][a-z0-9]{0,9}-\d{1,9}$/i;

const OF_AN_AGENT = /^(agentId|assigneeAgentId|reportsTo|leadAgentId|ownerAgentId)$/;
const OF_AN_ISSUE = /^(issueId|issueIds|blockedBy)$/;

const LISTS: Record<string, string> = {
  goalId: 'goals',
  goalIds: 'goals',
  projectId: 'projects',
  secretId: 'secrets',
};

export function placeOfId(field: string, input: string): string | null {
  if (IDENTIFIER.test(input)) return `the id in GET /api/issues/${input}`;
  if (OF_AN_AGENT.test(field)) {
    if (input === 'me') return 'your own is the id in GET /api/agents/me';
    const name = input.length <= MAX_NAME ? encodeURIComponent(input.toWellFormed()) : '…';
    return `the id in GET /api/companies/{companyId}/agents?name=${name}`;
  }
  if (OF_AN_ISSUE.test(field)) return 'the id in GET /api/issues/ACM-42, for the issue ACM-42';
  if (field === 'companyId') return 'one of GET /api/companies';
  const list = LISTS[field];
  return list === undefined ? null : `one of GET /api/companies/{companyId}/${list}`;
}

const MAX_NAME = 50;
