import { Link } from '@tanstack/react-router';
import { ArrowRightLeft } from 'lucide-react';
import { memo } from 'react';
import { useCompany } from '../../../data/company';
import { t } from '../../../i18n';
import { IconButton } from '../../../ui/button';
import { LabelTag } from '../../../ui/choices/label-tag';
import { Avatar, PriorityMark } from '../../../ui/marks';
import { Ago } from '../../../ui/time';
import type { EditedField, ListedIssue } from '../edit-keys';
import { LiveMark } from '../live-mark';

interface CardProps {
  issue: ListedIssue;
  isMovable: boolean;
  onMark: (issue: ListedIssue) => void;
  onEdit: (issue: ListedIssue, field: EditedField) => void;
  onDrag: (issue: ListedIssue | undefined) => void;
}

export const Card = memo(function Card(props: CardProps) {
  const { issue, isMovable, onMark, onEdit, onDrag } = props;
  const { issuePrefix } = useCompany();
  const mark = () => onMark(issue);
  return (
    <article
      aria-label={`${issue.identifier} ${issue.title}`}
      draggable={isMovable}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', `${issue.identifier} ${issue.title}`);
        // Waits, because a DOM change during `dragstart` would end the drag.
        setTimeout(() => onDrag(issue));
      }}
      onDragEnd={() => onDrag(undefined)}
      // Marks the card on `pointermove`, because `pointerenter` also fires when a card scrolls
      // under a resting pointer.
      onPointerMove={mark}
      onFocus={mark}
      className="group flex h-full flex-col gap-1 rounded-md border border-line bg-surface px-2.5 py-2 hover:border-line-strong"
    >
      <div className="flex h-5 items-center gap-1.5 text-xs text-muted">
        <PriorityMark priority={issue.priority} />
        <span className="truncate">{issue.identifier}</span>
        <span className="flex-1" />
        {issue.liveRun && <LiveMark run={issue.liveRun} />}
        {isMovable && (
          <IconButton
            icon={ArrowRightLeft}
            label={t('issues.move', { identifier: issue.identifier })}
            onClick={() => onEdit(issue, 'status')}
            className="-mr-1 size-6 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 max-md:opacity-100"
          />
        )}
      </div>
      <div className="min-h-0 flex-1">
        <Link
          to="/$company/issues/$issue"
          params={{ company: issuePrefix, issue: issue.identifier }}
          draggable={false}
          title={issue.title}
          className="line-clamp-2 text-sm font-medium"
        >
          {issue.title}
        </Link>
      </div>
      <div className="flex h-5 items-center gap-1.5 text-xs text-muted">
        {issue.assigneeName && (
          <>
            <Avatar name={issue.assigneeName} isPerson={issue.assigneeUserId !== null} size={18} />
            <span className="min-w-0 truncate">{issue.assigneeName}</span>
          </>
        )}
        {!issue.assigneeName && issue.labels[0] && <LabelTag name={issue.labels[0]} />}
        <span className="flex-1" />
        <Ago at={issue.lastActivityAt} className="shrink-0 whitespace-nowrap" />
      </div>
    </article>
  );
});
