import { newId } from '@switchyard/db';
import { type Mistake, patch, post, send } from './mistake';

export const WORK: Mistake[] = [
  {
    name: 'the status done without a checkout',
    ask: ({ issueId, agent }) => patch(`/api/issues/${issueId}`, { status: 'done' }, agent),
    status: 422,
    code: 'invalid_transition',
    says: /from todo to done: check it out first, then set in_review/,
  },
  {
    name: 'the status in_progress in an update',
    ask: ({ issueId, agent }) => patch(`/api/issues/${issueId}`, { status: 'in_progress' }, agent),
    status: 409,
    code: 'checkout_required',
    says: /POST \/api\/issues\/\{issueId\}\/checkout/,
  },
  {
    name: 'a new issue with the status in_progress',
    ask: ({ companyId }) =>
      post(`/api/companies/${companyId}/issues`, { title: 'x', status: 'in_progress' }),
    status: 422,
    code: 'invalid_transition',
    says: /checkout/,
  },
  {
    name: 'an agent that reopens a done issue',
    ask: ({ doneId, agent }) => patch(`/api/issues/${doneId}`, { status: 'todo' }, agent),
    status: 422,
    code: 'invalid_transition',
    says: /only the board can reopen the issue/,
  },
  {
    name: 'a checkout without expectedStatuses',
    ask: ({ issueId, agentId, agent }) =>
      post(`/api/issues/${issueId}/checkout`, { agentId }, agent),
    status: 400,
    code: 'validation_error',
    says: /^expectedStatuses is required$/,
  },
  {
    name: 'a checkout with a word instead of a list',
    ask: ({ issueId, agentId, agent }) =>
      post(`/api/issues/${issueId}/checkout`, { agentId, expectedStatuses: 'todo' }, agent),
    status: 400,
    code: 'validation_error',
    says: /^expectedStatuses: must be a list/,
  },
  {
    name: 'a checkout that expects another status',
    ask: ({ issueId, agentId, agent }) =>
      post(`/api/issues/${issueId}/checkout`, { agentId, expectedStatuses: ['backlog'] }, agent),
    status: 409,
    code: 'status_mismatch',
    says: /is todo, which expectedStatuses does not contain.* add todo to expectedStatuses/,
  },
  {
    name: 'a checkout of a done issue',
    ask: ({ doneId, agentId, agent }) =>
      post(`/api/issues/${doneId}/checkout`, { agentId, expectedStatuses: ['done'] }, agent),
    status: 409,
    code: 'status_mismatch',
    says: /is done, and an issue with this status cannot be checked out.* is closed/,
  },
  {
    name: 'a checkout of an issue that another agent owns',
    ask: ({ heldId, agentId, agent }) =>
      post(`/api/issues/${heldId}/checkout`, { agentId, expectedStatuses: ['todo'] }, agent),
    status: 409,
    code: 'checked_out',
    says: /owns this issue; do not repeat this request unchanged: choose another issue/,
  },
  {
    name: 'a checkout that names its run in the body',
    ask: ({ issueId, agentId, agent, runId }) =>
      post(
        `/api/issues/${issueId}/checkout`,
        { agentId, expectedStatuses: ['todo'], runId },
        agent,
      ),
    status: 400,
    code: 'validation_error',
    says: /^runId: unknown field/,
  },
  {
    name: 'a checkout without an agent',
    ask: ({ issueId, agent }) =>
      post(`/api/issues/${issueId}/checkout`, { expectedStatuses: ['todo'] }, agent),
    status: 400,
    code: 'validation_error',
    says: /^agentId: must be the id of the calling agent/,
  },
  {
    name: 'a checkout for a colleague',
    ask: ({ issueId, colleagueId, agent }) =>
      post(
        `/api/issues/${issueId}/checkout`,
        { agentId: colleagueId, expectedStatuses: ['todo'] },
        agent,
      ),
    status: 403,
    code: 'not_own',
    says: /only do this for itself; GET \/api\/agents\/me/,
  },
  {
    name: "a change of a colleague's work",
    ask: ({ heldId, agent }) => patch(`/api/issues/${heldId}`, { status: 'in_review' }, agent),
    status: 409,
    code: 'checked_out',
    says: /owns this issue: choose another issue, or write a comment/,
  },
  {
    name: 'an update of an outdated document revision',
    ask: ({ issueId, agent }) =>
      send(
        'PUT',
        `/api/issues/${issueId}/documents/plan`,
        { title: 'Plan', format: 'markdown', body: 'New', baseRevisionId: newId() },
        agent,
      ),
    status: 409,
    code: 'stale_revision',
    says: /read it again/,
  },
  {
    name: 'an Idempotency-Key of another request',
    ask: ({ companyId, usedKey }) =>
      post(`/api/companies/${companyId}/goals`, { title: 'Another' }, undefined, {
        'idempotency-key': usedKey,
      }),
    status: 409,
    code: 'idempotency_conflict',
    says: /^Idempotency-Key .* send a new key/,
  },
];
