import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useAgents, usePeople } from '../../data/directory';
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
export type EditedField = 'status' | 'priority' | 'assignee';

interface Edited {
  issue: ListedIssue;
  field: EditedField;
}

export function useEditKeys(marked: ListedIssue | undefined) {
  const mayWrite = useMayWrite();
  const [edited, setEdited] = useState<Edited>();
  const edit = (field: EditedField) => () => {
    if (mayWrite && marked) setEdited({ issue: marked, field });
  };
  useKeys([
    { keys: 's', label: 'issues.key.status', run: edit('status') },
    { keys: 'p', label: 'issues.key.priority', run: edit('priority') },
    { keys: 'a', label: 'issues.key.assignee', run: edit('assignee') },
  ]);
  return {
    begin: (issue: ListedIssue, field: EditedField) => mayWrite && setEdited({ issue, field }),
    dialog: edited && <EditDialog {...edited} onClose={() => setEdited(undefined)} />,
  };
}

function EditDialog({ issue, field, onClose }: Edited & { onClose: () => void }) {
  const change = useChangeIssue();
  const move = useMoveIssue();
  if (field === 'status') {
    return (
      <PickDialog
        title={t('issues.setStatus', { identifier: issue.identifier })}
        choices={statusChoices(issue.status)}
        value={issue.status}
        onPick={(to) => move.mutate({ issue, to })}
        onClose={onClose}
      />
    );
  }
  if (field === 'priority') {
    return (
      <PickDialog
        title={t('issues.setPriority', { identifier: issue.identifier })}
        choices={priorityChoices()}
        value={issue.priority}
        onPick={(priority) => change.mutate({ id: issue.id, change: { priority } })}
        onClose={onClose}
      />
    );
  }
  return <AssigneeDialog issue={issue} onClose={onClose} />;
}

function AssigneeDialog({ issue, onClose }: { issue: ListedIssue; onClose: () => void }) {
  const agents = useAgents();
  const people = usePeople();
  const change = useChangeIssue();
  const choices = assigneeChoices(agents, people);
  return (
    <PickDialog
      title={t('issues.setAssignee', { identifier: issue.identifier })}
      choices={choices}
      value={assigneeOf(issue)}
      onPick={(assignee) => change.mutate({ id: issue.id, ...assignment(assignee, choices) })}
      onClose={onClose}
    />
  );
}
