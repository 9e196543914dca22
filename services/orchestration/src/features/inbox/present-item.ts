import { INBOX_KINDS, type InboxItemView, type InboxKind } from '@switchyard/types';
import type { BoardActor } from '../../access/actor';
import { mayWrite } from '../../access/rules';
import type { Call } from '../../call';
import type { InboxRow } from './inbox-row';
import { sourceOf } from './sources';

/** An item as the caller sees it: with the actions that it may take. */
export function presentItem(
  { actor, companyId }: Pick<Call & { actor: BoardActor }, 'actor' | 'companyId'>,
  row: InboxRow,
): InboxItemView {
  const kind = row.kind as InboxKind;
  const { title, reason, actions } = sourceOf(kind).present(row);
  const { since, issueId, agentId, runId, approvalId, routineId, agents, issues } = row;
  return {
    id: `${kind}:${row.id}`,
    kind,
    severity: INBOX_KINDS[kind],
    title,
    reason,
    since,
    issueId,
    agentId,
    runId,
    approvalId,
    routineId,
    blocks: { agents, issues },
    actions: actions
      .filter(({ access }) => mayWrite(access, actor, companyId))
      .map(({ access: _, ...action }) => action),
    snoozedUntil: row.snoozedUntil,
    dismissedAt: row.dismissedAt,
  };
}
