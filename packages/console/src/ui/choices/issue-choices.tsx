import type { Agents, Person } from '../../data/directory';
import { type IssueStatus, moveFor, STATUSES } from '../../data/issue-moves';
import { refusalOf } from '../../data/issue-writes';
import { t, word } from '../../i18n';
import { Avatar, type Priority, PriorityMark, StatusMark } from '../marks';
import type { Choice } from './choose';

const PRIORITIES: readonly Priority[] = ['critical', 'high', 'medium', 'low'];

export const statusChoices = (from: IssueStatus): Choice<IssueStatus>[] =>
  STATUSES.map((status) => ({
    value: status,
    label: word('issueStatus', status),
    mark: <StatusMark of="issue" status={status} />,
    ...(status !== from && !moveFor(from, status) && { disabledBecause: refusalOf(from, status) }),
  }));

export const priorityChoices = (): Choice<Priority>[] =>
  PRIORITIES.map((priority) => ({
    value: priority,
    label: word('priority', priority),
    mark: <PriorityMark priority={priority} />,
  }));

export type Assignee = `agent:${string}` | `user:${string}` | null;

interface Assigned {
  assigneeAgentId: string | null;
  assigneeUserId: string | null;
}

export const assigneeOf = ({ assigneeAgentId, assigneeUserId }: Assigned): Assignee => {
  if (assigneeAgentId) return `agent:${assigneeAgentId}`;
  return assigneeUserId ? `user:${assigneeUserId}` : null;
};

export function assignedTo(assignee: Assignee): Partial<Assigned> {
  if (assignee === null) return { assigneeAgentId: null, assigneeUserId: null };
  const id = assignee.slice(assignee.indexOf(':') + 1);
  return assignee.startsWith('agent:') ? { assigneeAgentId: id } : { assigneeUserId: id };
}

export const assignment = (assignee: Assignee, choices: readonly Choice<Assignee>[]) => ({
  change: assignedTo(assignee),
  shown: {
    assigneeAgentId: null,
    assigneeUserId: null,
    ...assignedTo(assignee),
    assigneeName: assignee && choices.find(({ value }) => value === assignee)?.label,
  },
});

export const assigneeChoices = (agents: Agents, people: readonly Person[]): Choice<Assignee>[] => [
  { value: null, label: t('issue.unassigned') },
  ...agents.present.map(
    ({ id, name, status }): Choice<Assignee> => ({
      value: `agent:${id}`,
      label: name,
      mark: <Avatar name={name} />,
      ...(status !== 'idle' && { hint: word('agentStatus', status) }),
    }),
  ),
  ...people.map(
    ({ userId, name }): Choice<Assignee> => ({
      value: `user:${userId}`,
      label: name,
      mark: <Avatar name={name} isPerson />,
    }),
  ),
];
