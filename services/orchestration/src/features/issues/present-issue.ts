import type { IssueSummaryView } from '@switchyard/types';
import type { IssueSummaryRow } from '../../state/issues/issue-columns';

type Words = Pick<IssueSummaryView, 'status' | 'priority'>;

/** Returns the row with the contract's types of status and priority. */
export const presentIssue = <Row extends IssueSummaryRow>(row: Row): Row & Words =>
  row as Row & Words;
