import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCompany } from '../../../data/company';
import { useAgents, useGoals, usePeople, useProjects } from '../../../data/directory';
import { useChangeIssue, useMoveIssue } from '../../../data/issue-writes';
import { useMayWrite } from '../../../data/rights';
import { t } from '../../../i18n';
import { Choose } from '../../../ui/choices/choose';
import {
  assigneeChoices,
  assigneeOf,
  assignment,
  priorityChoices,
  statusChoices,
} from '../../../ui/choices/issue-choices';
import { classNames } from '../../../ui/class-names';
import { Ago } from '../../../ui/time';
import { useAuthorName } from '../author';
import { Documents } from '../documents/documents';
import type { Issue } from '../issue';
import { Labels } from './labels';
import { QUIET } from './quiet';
import { Blockers, Children, Parent } from './relations';

export function Properties({ issue }: { issue: Issue }) {
  const mayWrite = useMayWrite();
  return (
    <fieldset disabled={!mayWrite} className="flex min-w-0 flex-col gap-5">
      <dl className="grid grid-cols-[6rem_1fr] items-center gap-x-2 gap-y-1.5 text-sm">
        <Work issue={issue} />
        <Row label={t('issue.labels')}>
          <Labels issue={issue} />
        </Row>
        <Place issue={issue} />
        <Row label={t('issue.parent')}>
          <Parent issue={issue} />
        </Row>
        <Row label={t('issue.due')}>
          <DueDate issue={issue} />
        </Row>
        <Holder issue={issue} />
        <Row label={t('issue.changedAt')}>
          <Ago at={issue.updatedAt} className="px-2" />
        </Row>
      </dl>
      <Blockers issue={issue} />
      <Children issue={issue} />
      <Documents issue={issue} />
    </fieldset>
  );
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{label}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);

function Work({ issue }: { issue: Issue }) {
  const agents = useAgents();
  const people = usePeople();
  const change = useChangeIssue();
  const move = useMoveIssue();
  const assignees = assigneeChoices(agents, people);
  const { id } = issue;
  return (
    <>
      <Row label={t('issue.status')}>
        <Choose
          label={t('issue.status')}
          className={QUIET}
          choices={statusChoices(issue.status)}
          value={issue.status}
          onChoose={(to) => to !== issue.status && move.mutate({ issue, to })}
        />
      </Row>
      <Row label={t('issue.priority')}>
        <Choose
          label={t('issue.priority')}
          className={QUIET}
          choices={priorityChoices()}
          value={issue.priority}
          onChoose={(priority) => change.mutate({ id, change: { priority } })}
        />
      </Row>
      <Row label={t('issue.assignee')}>
        <Choose
          label={t('issue.assignee')}
          className={QUIET}
          choices={assignees}
          value={assigneeOf(issue)}
          onChoose={(assignee) => change.mutate({ id, ...assignment(assignee, assignees) })}
        />
      </Row>
    </>
  );
}

function Place({ issue: { id, project, projectId, goal, goalId } }: { issue: Issue }) {
  const [isOpened, setOpened] = useState(false);
  const projects = useProjects({ enabled: isOpened });
  const goals = useGoals({ enabled: isOpened });
  const change = useChangeIssue();
  const open = () => setOpened(true);
  return (
    <>
      <Row label={t('issue.project')}>
        <Choose
          label={t('issue.project')}
          className={QUIET}
          onOpen={open}
          choices={[
            { value: null, label: t('issue.none') },
            ...(projects.data ?? (project ? [project] : [])).map((each) => ({
              value: each.id,
              label: each.name,
            })),
          ]}
          value={projectId}
          onChoose={(next) => change.mutate({ id, change: { projectId: next } })}
        />
      </Row>
      <Row label={t('issue.goal')}>
        <Choose
          label={t('issue.goal')}
          className={QUIET}
          onOpen={open}
          choices={[
            { value: null, label: t('issue.none') },
            ...(goals.data ?? (goal ? [goal] : [])).map((each) => ({
              value: each.id,
              label: each.title,
            })),
          ]}
          value={goalId}
          onChoose={(next) => change.mutate({ id, change: { goalId: next } })}
        />
      </Row>
    </>
  );
}

function DueDate({ issue: { id, dueDate } }: { issue: Issue }) {
  const change = useChangeIssue();
  return (
    <input
      type="date"
      aria-label={t('issue.due')}
      value={dueDate ?? ''}
      onChange={(event) => change.mutate({ id, change: { dueDate: event.target.value || null } })}
      className={classNames(QUIET, 'w-full bg-transparent', !dueDate && 'text-faint')}
    />
  );
}

function Holder({ issue }: { issue: Issue }) {
  const { issuePrefix } = useCompany();
  const name = useAuthorName(
    issue.checkoutRunId ? issue.assigneeAgentId : null,
    issue.checkoutUserId,
  );
  if (!issue.checkoutRunId && !issue.checkoutUserId) return null;
  return (
    <Row label={t('issue.holder')}>
      <span className="px-2">
        {issue.checkoutRunId ? (
          <Link
            to="/$company/runs/$run"
            params={{ company: issuePrefix, run: issue.checkoutRunId }}
            className="text-accent hover:underline"
          >
            {name ?? t('issue.aRun')}
          </Link>
        ) : (
          name
        )}
        {issue.checkedOutAt && (
          <>
            {' · '}
            <Ago at={issue.checkedOutAt} className="text-muted" />
          </>
        )}
      </span>
    </Row>
  );
}
