import { invalidField } from '@switchyard/server';
import type { CheckoutIssueBody, IssueView } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import type { BoardActor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { type Claimant, claimIssue } from '../../state/issues/claim-issue';
import { untilDecided } from '../../state/until-decided';
import { explainUnclaimed } from './claims/explain-unclaimed';
import { presentIssue } from './present-issue';

/**
 * Claims an issue and moves it to in_progress (spec, "Issues" rules 1 to 3). A person who names no
 * agent claims it personally. Such a claim ends by release, by a change of status or assignee, or
 * when the person leaves the company.
 * @throws ApiError 400 if an agent names no agent, 403 for another agent's id, and the errors of
 * `explainUnclaimed`
 */
export async function checkoutIssue(
  call: Call,
  issueId: string,
  { agentId, expectedStatuses }: CheckoutIssueBody,
): Promise<IssueView> {
  const claimant = claimantOf(call, agentId);
  const issue = await untilDecided(
    () => claimIssue(call, issueId, claimant, expectedStatuses),
    () => explainUnclaimed(call, issueId, claimant, expectedStatuses),
  );
  return presentIssue(issue);
}

function claimantOf(call: Call, agentId: string | undefined): Claimant {
  if (agentId !== undefined) {
    assertSelfOrBoard(call, agentId);
    return { agentId };
  }
  if (call.actor.type === 'agent')
    throw invalidField('agentId', 'must be the id of the calling agent');
  return { userId: (call.actor as BoardActor).userId };
}
