import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useAgents, useLabels, usePeople } from '../../data/directory';
import { useChangeIssue, useMoveIssue } from '../../data/issue-writes';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { useKeys } from '../../ui/browser/keys';
import {
  assigneeChoices,
  assigneeOf,
  assignment,
  priorityChoices,
  statusChoices,
} from '../../ui/choices/issue-choices';
import { PickDialog } from '../../ui/dialogs/pick-dialog';

export type ListedIssue = Schemas['ListedIssue'];
export type EditedField = 'status' | 'priority' | 'assignee' | 'label';

interface Edited {
  issues: readonly ListedIssue[];
  field: EditedField;
}

export function useEditKeys(targets: readonly ListedIssue[]) {
  const mayWrite = useMayWrite();
  const [edited, setEdited] = useState<Edited>();
  const edit = (field: EditedField) => () => {
    if (mayWrite && targets.length > 0) setEdited({ issues: targets, field });
  };
  useKeys([
    { keys: 's', label: 'issues.key.status', run: edit('status') },
    { keys: 'p', label: 'issues.key.priority', run: edit('priority') },
    { keys: 'a', label: 'issues.key.assignee', run: edit('assignee') },
  ]);
  return {
    begin: (issue: ListedIssue, field: EditedField) =>
      mayWrite && setEdited({ issues: [issue], field }),
    edit: (field: EditedField) => edit(field)(),
    dialog: edited && <EditDialog {...edited} onClose={() => setEdited(undefined)} />,
  };
}

function EditDialog({ issues, field, onClose }: Edited & { onClose: () => void }) {
  const agents = useAgents();
  const people = usePeople();
  const labels = useLabels();
  const change = useChangeIssue();
  const move = useMoveIssue();
  const [first, ...others] = issues;
  if (!first) return null;
  const isOne = others.length === 0;
  const what = isOne ? first.identifier : t('issues.selected', { count: issues.length });
  const dialog = { onClose, isBulk: !isOne };
  switch (field) {
    case 'status':
      return (
        <PickDialog
          {...dialog}
          title={t('issues.setStatus', { identifier: what })}
          choices={statusChoices(first.status).map((choice) =>
            isOne ? choice : { ...choice, disabledBecause: undefined },
          )}
          value={first.status}
          onPick={(to) => {
            for (const issue of issues) if (issue.status !== to) move.mutate({ issue, to });
          }}
        />
      );
    case 'priority':
      return (
        <PickDialog
          {...dialog}
          title={t('issues.setPriority', { identifier: what })}
          choices={priorityChoices()}
          value={first.priority}
          onPick={(priority) => {
            for (const { id } of issues) change.mutate({ id, change: { priority } });
          }}
        />
      );
    case 'label':
      return (
        <PickDialog
          {...dialog}
          title={t('issues.addLabelTo', { what })}
          choices={(labels.data ?? []).map(({ name }) => ({ value: name, label: name }))}
          value=""
          onPick={(label) => {
            for (const { id, labels: present } of issues) {
              change.mutate({ id, change: { labels: [...new Set([...present, label])] } });
            }
          }}
        />
      );
    case 'assignee': {
      const choices = assigneeChoices(agents, people);
      return (
        <PickDialog
          {...dialog}
          title={t('issues.setAssignee', { identifier: what })}
          choices={choices}
          value={assigneeOf(first)}
          onPick={(assignee) => {
            for (const { id } of issues) change.mutate({ id, ...assignment(assignee, choices) });
          }}
        />
      );
    }
  }
}
