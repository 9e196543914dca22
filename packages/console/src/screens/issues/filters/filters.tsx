import type { ReactNode } from 'react';
import { useAgents, useGoals, useLabels, usePeople, useProjects } from '../../../data/directory';
import { STATUSES } from '../../../data/issue-moves';
import { t, word } from '../../../i18n';
import { type Choice, ChoiceList } from '../../../ui/choices/choose';
import { Menu } from '../../../ui/choices/menu';
import { classNames } from '../../../ui/class-names';
import { Avatar, StatusMark } from '../../../ui/marks';
import { useIssueSearch } from '../use-issue-search';
import { type Filter, toggled } from './issue-filters';

function FilterMenu({
  filter,
  label,
  chosen,
  children,
}: {
  filter: Filter;
  label: string;
  chosen?: ReactNode;
  children: (close: () => void) => ReactNode;
}) {
  const { search } = useIssueSearch();
  const isSet = search[filter] !== undefined;
  return (
    <Menu
      label={isSet ? t('issues.filterSet', { label }) : label}
      className={classNames(
        'inline-flex min-h-7 max-w-48 items-center gap-1.5 rounded-md border px-2 text-sm hover:bg-hover max-md:min-h-9',
        isSet ? 'border-accent bg-selected' : 'border-dashed border-line-strong text-muted',
      )}
      trigger={<span className="truncate">{isSet ? (chosen ?? label) : label}</span>}
    >
      {children}
    </Menu>
  );
}

export function StatusFilter() {
  const { search, change } = useIssueSearch();
  const chosen = search.status?.split(',') ?? [];
  return (
    <FilterMenu
      filter="status"
      label={t('issue.status')}
      chosen={chosen.map((status) => word('issueStatus', status)).join(', ')}
    >
      {() => (
        <ChoiceList<string>
          label={t('issue.status')}
          choices={STATUSES.map((status) => ({
            value: status,
            label: word('issueStatus', status),
            mark: <StatusMark of="issue" status={status} />,
          }))}
          isChosen={(status) => chosen.includes(status)}
          onChoose={(status) => change({ status: toggled(search.status, status) })}
        />
      )}
    </FilterMenu>
  );
}

export function AssigneeFilter() {
  const { search } = useIssueSearch();
  return (
    <FilterMenu
      filter="assignee"
      label={t('issue.assignee')}
      chosen={search.assignee && <AssigneeName assignee={search.assignee} />}
    >
      {(close) => <AssigneeChoices close={close} />}
    </FilterMenu>
  );
}

function AssigneeName({ assignee }: { assignee: string }) {
  const agents = useAgents();
  const people = usePeople();
  if (assignee === 'none') return t('issue.unassigned');
  if (assignee === 'user:me') return t('issues.mine');
  const id = assignee.slice(assignee.indexOf(':') + 1);
  return agents.get(id)?.name ?? people.find(({ userId }) => userId === id)?.name ?? assignee;
}

function AssigneeChoices({ close }: { close: () => void }) {
  const { search, change } = useIssueSearch();
  const agents = useAgents();
  const people = usePeople();
  const choices: Choice<string>[] = [
    { value: 'user:me', label: t('issues.mine') },
    { value: 'none', label: t('issue.unassigned') },
    ...agents.present.map(({ id, name }) => ({
      value: `agent:${id}`,
      label: name,
      mark: <Avatar name={name} />,
    })),
    ...people.map(({ userId, name }) => ({
      value: `user:${userId}`,
      label: name,
      mark: <Avatar name={name} isPerson />,
    })),
  ];
  return (
    <ChoiceList
      label={t('issue.assignee')}
      choices={choices}
      isChosen={(value) => value === search.assignee}
      onChoose={(value) => {
        close();
        change({ assignee: value === search.assignee ? undefined : value });
      }}
    />
  );
}

interface Named {
  id: string;
  label: string;
}

function OneOf({
  filter,
  label,
  useNames,
}: {
  filter: Filter;
  label: string;
  useNames: (options: { enabled: boolean }) => readonly Named[];
}) {
  const { search } = useIssueSearch();
  return (
    <FilterMenu
      filter={filter}
      label={label}
      chosen={<ChosenName value={search[filter]} useNames={useNames} />}
    >
      {(close) => <Choices filter={filter} label={label} useNames={useNames} close={close} />}
    </FilterMenu>
  );
}

type UseNames = (options: { enabled: boolean }) => readonly Named[];

function ChosenName({ value, useNames }: { value: string | undefined; useNames: UseNames }) {
  const names = useNames({ enabled: value !== undefined });
  return names.find(({ id }) => id === value)?.label ?? value;
}

function Choices({
  filter,
  label,
  useNames,
  close,
}: {
  filter: Filter;
  label: string;
  useNames: UseNames;
  close: () => void;
}) {
  const { search, change } = useIssueSearch();
  const names = useNames({ enabled: true });
  return (
    <ChoiceList
      label={label}
      choices={names.map(({ id, label: name }) => ({ value: id, label: name }))}
      isChosen={(value) => value === search[filter]}
      onChoose={(value) => {
        close();
        change({ [filter]: value === search[filter] ? undefined : value });
      }}
    />
  );
}

const useProjectNames: UseNames = (options) =>
  useProjects(options).data?.map(({ id, name }) => ({ id, label: name })) ?? [];
const useGoalNames: UseNames = (options) =>
  useGoals(options).data?.map(({ id, title }) => ({ id, label: title })) ?? [];
const useLabelNames: UseNames = (options) =>
  useLabels(options).data?.map(({ name }) => ({ id: name, label: name })) ?? [];

export const ProjectFilter = () => (
  <OneOf filter="projectId" label={t('issue.project')} useNames={useProjectNames} />
);
export const GoalFilter = () => (
  <OneOf filter="servesGoalId" label={t('issue.goal')} useNames={useGoalNames} />
);
export const LabelFilter = () => (
  <OneOf filter="label" label={t('issues.label')} useNames={useLabelNames} />
);
