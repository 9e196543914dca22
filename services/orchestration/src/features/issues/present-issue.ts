import type { IssueSummaryView } from '@switchyard/types';
import type { IssueSummaryRow } from '../../state/issues/issue-columns';

/**
 * A row as the API shows it. Releases without `cancelled_at` wrote the end of a cancelled issue into `completed_at`, and
 * may do so while they are replaced.
 */
export function presentIssue<Row extends IssueSummaryRow>(row: Row): Row & Words {
  if (row.status !== 'cancelled') return row as Row & Words;
  const cancelledAt = row.cancelledAt ?? row.completed_at;
  return { ...row, completed_at: null, cancelledAt } as Row & Words;
}

type Words = Pick<IssueSummaryView, 'status' | 'priority'>;
