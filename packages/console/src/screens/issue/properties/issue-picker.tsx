import { unwrap } from '@switchyard/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { api } from '../../../data/api';
import { useCompany } from '../../../data/company';
import { t } from '../../../i18n';
import { classNames } from '../../../ui/class-names';
import { Dialog } from '../../../ui/dialogs/dialog';
import { Input } from '../../../ui/field';
import { StatusMark } from '../../../ui/marks';

interface Picked {
  id: string;
  identifier: string;
}

interface IssuePickerProps {
  title: string;
  without: readonly string[];
  onPick: (issue: Picked) => void;
  onClose: () => void;
}

export function IssuePicker({ title, without, onPick, onClose }: IssuePickerProps) {
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const found = useIssues(typed.trim());
  const offered = (found ?? []).filter(({ id }) => !without.includes(id));
  const pick = (issue: Picked) => {
    onPick(issue);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = offered[marked];
    if (step) setMarked(Math.max(0, Math.min(offered.length - 1, marked + step)));
    else if (event.key === 'Enter' && chosen) pick(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Input
        type="search"
        aria-label={t('issue.find')}
        placeholder={t('issue.find')}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul className="mt-2 min-h-40">
        {offered.map((issue, index) => (
          <li key={issue.id}>
            <button
              type="button"
              onClick={() => pick(issue)}
              className={classNames(
                'flex min-h-9 w-full items-center gap-2 rounded px-2 text-left hover:bg-hover',
                index === marked && 'bg-selected',
              )}
            >
              <StatusMark of="issue" status={issue.status} />
              <span className="shrink-0 text-sm text-muted">{issue.identifier}</span>
              <span className="truncate">{issue.title}</span>
            </button>
          </li>
        ))}
        {found && offered.length === 0 && (
          <li className="px-2 py-2 text-sm text-muted">{t('state.noneFound')}</li>
        )}
      </ul>
    </Dialog>
  );
}

function useIssues(q: string) {
  const { id: companyId } = useCompany();
  const { data } = useQuery({
    queryKey: ['issues to pick', companyId, q],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/companies/{companyId}/issues', {
          params: { path: { companyId }, query: { limit: 12, sort: 'updated', ...(q && { q }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  return data;
}
