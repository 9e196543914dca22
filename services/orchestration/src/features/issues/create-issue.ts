import { inTransaction } from '@switchyard/db';
import { semantic } from '@switchyard/server';
import type { CreateIssueBody, IssueView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { wakeAssignee } from './assignees';
import { insertIssue } from './insert-issue';
import { presentIssue } from './present-issue';

/**
 * @throws Refusal 422 when it is created in progress (claiming is done by checkout), or for an assignee
 * that is terminated or waits for approval
 */
export async function createIssue(
  effects: Effects,
  scope: Scope,
  body: CreateIssueBody,
): Promise<IssueView> {
  if (body.status === 'in_progress') {
    throw semantic('invalid_transition', 'an issue enters in_progress by checkout', {
      from: null,
      to: 'in_progress',
      allowed: ['backlog', 'todo', 'in_review', 'blocked', 'done', 'cancelled'],
    });
  }
  return inTransaction(scope.db, async (tx) => {
    const { issue, assignee } = await insertIssue(tx, scope, body);
    if (assignee) await wakeAssignee(effects, tx, scope, issue, assignee);
    return presentIssue(issue);
  });
}
