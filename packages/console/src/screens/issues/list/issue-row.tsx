import { Link } from '@tanstack/react-router';
import { Ban, CalendarDays, ListTree } from 'lucide-react';
import { memo } from 'react';
import { useCompany } from '../../../data/company';
import { isEnded } from '../../../data/issue-moves';
import { t, word } from '../../../i18n';
import { formatDate } from '../../../i18n/formats';
import { LabelTag } from '../../../ui/choices/label-tag';
import { classNames } from '../../../ui/class-names';
import { Avatar, PriorityMark, StatusMark } from '../../../ui/marks';
import { Ago } from '../../../ui/time';
import type { EditedField, ListedIssue } from '../edit-keys';
import { LiveMark } from '../live-mark';

interface IssueRowProps {
  issue: ListedIssue;
  onEdit: (issue: ListedIssue, field: EditedField) => void;
  isSelected: boolean;
  onSelect: ((id: string) => void) | undefined;
}

const MARK = 'inline-flex size-6 shrink-0 items-center justify-center rounded hover:bg-hover';

export const IssueRow = memo(function IssueRow({
  issue,
  onEdit,
  isSelected,
  onSelect,
}: IssueRowProps) {
  const { issuePrefix } = useCompany();
  return (
    <div className="flex h-full items-center gap-2 px-4 max-md:flex-wrap max-md:content-center max-md:gap-y-0.5">
      {onSelect && (
        <input
          type="checkbox"
          aria-label={`${t('runs.mark')}: ${issue.identifier}`}
          checked={isSelected}
          onChange={() => onSelect(issue.id)}
          className="size-4 shrink-0 accent-accent-fill max-md:hidden"
        />
      )}
      <button
        type="button"
        className={MARK}
        aria-label={t('issues.changePriority', { now: word('priority', issue.priority) })}
        onClick={() => onEdit(issue, 'priority')}
      >
        <PriorityMark priority={issue.priority} />
      </button>
      <span className="w-18 shrink-0 truncate text-sm text-muted max-md:w-auto">
        {issue.identifier}
      </span>
      <button
        type="button"
        className={MARK}
        aria-label={t('issues.changeStatus', { now: word('issueStatus', issue.status) })}
        onClick={() => onEdit(issue, 'status')}
      >
        <StatusMark of="issue" status={issue.status} />
      </button>
      <Link
        to="/$company/issues/$issue"
        params={{ company: issuePrefix, issue: issue.identifier }}
        className="min-w-0 flex-1 truncate font-medium max-md:order-last max-md:basis-full"
      >
        {issue.title}
      </Link>
      <Counts issue={issue} />
      <span className="flex min-w-0 shrink items-center gap-1 max-lg:hidden">
        {issue.labels.slice(0, 2).map((label) => (
          <LabelTag key={label} name={label} />
        ))}
        {issue.labels.length > 2 && (
          <span title={issue.labels.join(', ')} className="text-xs text-muted">
            +{issue.labels.length - 2}
          </span>
        )}
      </span>
      <span className="max-md:flex-1" />
      {issue.liveRun && <LiveMark run={issue.liveRun} />}
      <button
        type="button"
        aria-label={t('issues.changeAssignee', {
          now: issue.assigneeName ?? t('issue.unassigned'),
        })}
        onClick={() => onEdit(issue, 'assignee')}
        className="flex min-h-6 w-36 shrink-0 items-center gap-1.5 truncate rounded px-1 text-left text-sm hover:bg-hover max-md:w-auto max-md:max-w-36"
      >
        {issue.assigneeName ? (
          <>
            <Avatar name={issue.assigneeName} isPerson={issue.assigneeUserId !== null} />
            <span className="truncate">{issue.assigneeName}</span>
          </>
        ) : (
          <span className="text-faint">{t('issue.unassigned')}</span>
        )}
      </button>
      <Ago
        at={issue.lastActivityAt}
        className="w-20 shrink-0 text-right text-sm whitespace-nowrap text-muted max-md:w-auto"
      />
    </div>
  );
});

function Counts({ issue }: { issue: ListedIssue }) {
  const { blockedByCount, childCount, dueDate, status } = issue;
  const isLate = dueDate !== null && !isEnded(status) && dueDate < today();
  return (
    <span className="flex shrink-0 items-center gap-2 text-xs text-muted max-md:hidden">
      {dueDate && (
        <span
          className={classNames('inline-flex items-center gap-1', isLate && 'text-bad')}
          title={t(isLate ? 'issue.overdue' : 'issue.due')}
        >
          <CalendarDays size={12} aria-hidden />
          <span className="sr-only">{t(isLate ? 'issue.overdue' : 'issue.due')}</span>
          {formatDate(dueDate)}
        </span>
      )}
      {blockedByCount > 0 && (
        <span
          className="inline-flex items-center gap-1 text-bad"
          title={t('issues.blockers', { count: blockedByCount })}
        >
          <Ban size={12} aria-hidden />
          <span aria-hidden>{blockedByCount}</span>
          <span className="sr-only">{t('issues.blockers', { count: blockedByCount })}</span>
        </span>
      )}
      {childCount > 0 && (
        <span
          className="inline-flex items-center gap-1"
          title={t('issue.childCount', { count: childCount })}
        >
          <ListTree size={12} aria-hidden />
          <span aria-hidden>{childCount}</span>
          <span className="sr-only">{t('issue.childCount', { count: childCount })}</span>
        </span>
      )}
    </span>
  );
}

const today = (): string => new Date().toLocaleDateString('sv');
