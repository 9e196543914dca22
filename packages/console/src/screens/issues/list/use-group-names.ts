import { useCallback } from 'react';
import { useProjects } from '../../../data/directory';
import { t, word } from '../../../i18n';
import type { ListedIssue } from '../edit-keys';
import type { Grouping } from '../filters/issue-filters';

export function useGroupNames(grouping: Grouping) {
  const { data: projects } = useProjects({ enabled: grouping === 'project' });
  return useCallback(
    (value: string, issue: ListedIssue): string => {
      if (grouping === 'status') return word('issueStatus', value);
      if (grouping === 'priority') return word('priority', value);
      if (grouping === 'assignee') return issue.assigneeName ?? t('issue.unassigned');
      return projects?.find(({ id }) => id === value)?.name ?? t('issues.noProject');
    },
    [grouping, projects],
  );
}
