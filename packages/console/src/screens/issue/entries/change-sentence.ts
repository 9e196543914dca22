import { t, word } from '../../../i18n';
import type { Change } from '../thread';

type Activity = Change['change'];

export function sentenceOfChange({ authorName, change }: Change): string {
  const name = authorName ?? t('issue.system');
  const { action, details } = change;
  const { from, to, changed } = details as { from?: string; to?: string; changed?: string[] };
  if (action === 'issue.created') return t('change.created', { name });
  if (action === 'issue.checked_out') return t('change.checkedOut', { name });
  if (from && to) {
    return t('change.status', {
      name,
      from: word('issueStatus', from),
      to: word('issueStatus', to),
    });
  }
  if (changed) {
    const fields = changed.filter((field) => !CONSEQUENCES.has(field));
    return t('change.fields', {
      name,
      fields: fields.map((field) => word('issueField', field)).join(', '),
    });
  }
  return t('change.other', {
    name,
    action: word('activityAction', action.replace(/^issue\./, '')),
  });
}

const CONSEQUENCES = new Set(['checkedOutAt', 'cancelledAt', 'checkoutRunId', 'checkoutUserId']);

export function statusAfter({ action, details }: Activity): string | undefined {
  if (action === 'issue.checked_out') return 'in_progress';
  const { to } = details as { to?: unknown };
  return typeof to === 'string' ? to : undefined;
}
