import type { IssueSummaryView } from '@switchyard/types';
import type { IssueSummaryRow } from '../../state/issues/issue-columns';

type Words = Pick<IssueSummaryView, 'status' | 'priority'>;

export const presentIssue = <Row extends IssueSummaryRow>(row: Row): Row & Words =>
  row as Row & Words;
