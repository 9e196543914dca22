import { INBOX_KINDS, type InboxItemView } from '@switchyard/types';
import { mayWrite } from '../../access/rules';
import type { BoardActor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { sourceOf } from './groups';
import type { HiddenItem } from './hidden-items';
import type { InboxRow } from './inbox-row';

export function presentItem(
  { actor, companyId }: Pick<Call & { actor: BoardActor }, 'actor' | 'companyId'>,
  row: InboxRow,
  hidden: HiddenItem | null,
): InboxItemView {
  const { kind, id, since, issueId, agentId, agentName, agents, issues } = row;
  const { title, reason, actions } = sourceOf(kind).present(row);
  const isApproval = kind === 'approval' || kind === 'question';
  const isRoutine = kind === 'routine_stopped' || kind === 'routine_failed';
  return {
    id: `${kind}:${id}`,
    kind,
    severity: INBOX_KINDS[kind],
    title,
    reason,
    since,
    issueId,
    agentId,
    agentName,
    runId: kind === 'failed_run' ? id : null,
    approvalId: isApproval ? id : null,
    routineId: isRoutine ? id : null,
    blocks: { agents, issues },
    actions: actions
      .filter(({ access }) => mayWrite(access, actor, companyId))
      .map(({ access: _, ...action }) => action),
    snoozedUntil: hidden?.until ?? null,
    dismissedAt: hidden && hidden.until === null ? hidden.hiddenAt : null,
  };
}
