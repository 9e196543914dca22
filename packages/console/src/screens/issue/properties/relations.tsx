import { Link } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useCompany } from '../../../data/company';
import { useDraft } from '../../../data/draft';
import { STATUSES } from '../../../data/issue-moves';
import { useChangeIssue } from '../../../data/issue-writes';
import { useMayWrite } from '../../../data/rights';
import { useOpenOverlay } from '../../../frame/overlays';
import { t, word } from '../../../i18n';
import { IconButton } from '../../../ui/button';
import { StatusMark } from '../../../ui/marks';
import type { Issue } from '../issue';
import { IssuePicker } from './issue-picker';
import { QUIET } from './quiet';

export function Parent({ issue }: { issue: Issue }) {
  const mayWrite = useMayWrite();
  const change = useChangeIssue();
  const [isPicking, setPicking] = useState(false);
  const parent = issue.ancestors.find(({ id }) => id === issue.parentId);
  return (
    <span className="flex min-w-0 items-center">
      {parent ? (
        <IssueLink identifier={parent.identifier} title={parent.title} />
      ) : (
        <button
          type="button"
          className={QUIET}
          aria-label={`${t('issue.parent')}: ${t('issue.none')}`}
          onClick={() => setPicking(true)}
        >
          {t('issue.none')}
        </button>
      )}
      {parent && mayWrite && (
        <IconButton
          icon={X}
          label={t('issue.removeParent')}
          onClick={() => change.mutate({ id: issue.id, change: { parentId: null } })}
        />
      )}
      {isPicking && (
        <IssuePicker
          title={t('issue.chooseParent')}
          without={[issue.id]}
          onClose={() => setPicking(false)}
          onPick={({ id }) => change.mutate({ id: issue.id, change: { parentId: id } })}
        />
      )}
    </span>
  );
}

export function Blockers({ issue }: { issue: Issue }) {
  const mayWrite = useMayWrite();
  const change = useChangeIssue();
  const [isPicking, setPicking] = useState(false);
  const ids = issue.blockedBy.map(({ issueId }) => issueId);
  const set = (blockedBy: string[]) => change.mutate({ id: issue.id, change: { blockedBy } });
  return (
    <Part
      title={t('issue.blockedBy')}
      action={
        mayWrite && (
          <IconButton icon={Plus} label={t('issue.addBlocker')} onClick={() => setPicking(true)} />
        )
      }
    >
      {issue.blockedBy.length === 0 ? (
        <p className="text-sm text-faint">{t('issue.noBlockers')}</p>
      ) : (
        <ul>
          {issue.blockedBy.map(({ issueId, identifier, title, status }) => (
            <li key={issueId} className="flex items-center">
              <IssueLink identifier={identifier} title={title} status={status} />
              {mayWrite && (
                <IconButton
                  icon={X}
                  label={t('issue.removeBlocker', { identifier })}
                  onClick={() => set(ids.filter((id) => id !== issueId))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {isPicking && (
        <IssuePicker
          title={t('issue.addBlocker')}
          without={[issue.id, ...ids]}
          onClose={() => setPicking(false)}
          onPick={({ id }) => set([...ids, id])}
        />
      )}
    </Part>
  );
}

export function Children({ issue: { id, identifier, children } }: { issue: Issue }) {
  const { id: companyId, issuePrefix } = useCompany();
  const mayWrite = useMayWrite();
  const [, setParent] = useDraft(`new issue parent ${companyId}`);
  const open = useOpenOverlay();
  return (
    <Part
      title={t('issue.children')}
      action={
        mayWrite && (
          <IconButton
            icon={Plus}
            label={t('issue.newChild')}
            onClick={() => {
              setParent(`${id} ${identifier}`);
              open('new-issue');
            }}
          />
        )
      }
    >
      {children.total === 0 ? (
        <p className="text-sm text-faint">{t('issue.noChildren')}</p>
      ) : (
        <Link
          to="/$company/issues"
          params={{ company: issuePrefix }}
          search={{ parentId: id, view: 'all' }}
          className="flex flex-wrap gap-x-3 gap-y-1 rounded-md text-sm hover:underline"
        >
          <span className="font-medium">{t('issue.childCount', { count: children.total })}</span>
          {STATUSES.filter((status) => (children.byStatus[status] ?? 0) > 0).map((status) => (
            <span key={status} className="inline-flex items-center gap-1 text-muted">
              <StatusMark of="issue" status={status} />
              <span aria-hidden>{children.byStatus[status]}</span>
              <span className="sr-only">
                {children.byStatus[status]} {word('issueStatus', status)}
              </span>
            </span>
          ))}
        </Link>
      )}
    </Part>
  );
}

export const Part = ({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) => (
  <section>
    <div className="flex min-h-7 items-center justify-between">
      <h2 className="text-sm font-medium text-muted">{title}</h2>
      {action}
    </div>
    {children}
  </section>
);

function IssueLink({
  identifier,
  title,
  status,
}: {
  identifier: string;
  title: string;
  status?: string;
}) {
  const { issuePrefix } = useCompany();
  return (
    <Link
      to="/$company/issues/$issue"
      params={{ company: issuePrefix, issue: identifier }}
      title={title}
      className="flex min-h-7 min-w-0 flex-1 items-center gap-1.5 rounded-md px-2 text-sm hover:bg-hover"
    >
      {status && <StatusMark of="issue" status={status} />}
      <span className="shrink-0 text-muted">{identifier}</span>
      <span className="truncate">{title}</span>
    </Link>
  );
}
