import { unwrap } from '@switchyard/client';
import { useNavigate } from '@tanstack/react-router';
import { Bookmark, Trash2 } from 'lucide-react';
import type { FormEvent } from 'react';
import { api } from '../../../data/api';
import { useCompany } from '../../../data/company';
import { useHeld } from '../../../data/draft';
import { useRead } from '../../../data/read';
import { useMayWrite } from '../../../data/rights';
import { useSend } from '../../../data/send';
import { t } from '../../../i18n';
import { Button, IconButton } from '../../../ui/button';
import { Menu } from '../../../ui/choices/menu';
import { Checkbox, Input } from '../../../ui/field';
import { useIssueSearch } from '../use-issue-search';

export function SavedViews() {
  return (
    <Menu
      label={t('issues.views')}
      align="end"
      className="inline-flex min-h-7 items-center gap-1.5 rounded-md border border-line-strong bg-raised px-2 text-sm hover:bg-hover max-md:min-h-9"
      trigger={
        <>
          <Bookmark size={14} aria-hidden />
          {t('issues.views')}
        </>
      }
    >
      {(close) => <ViewMenu close={close} />}
    </Menu>
  );
}

function ViewMenu({ close }: { close: () => void }) {
  const { id: companyId } = useCompany();
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const views = useRead('/api/companies/{companyId}/views', {
    path: { companyId },
    query: { screen: SCREEN },
  });
  const remove = useSend(
    (viewId: string) => unwrap(api.DELETE('/api/views/{viewId}', { params: { path: { viewId } } })),
    { onDone: () => void views.refetch() },
  );
  return (
    <div className="flex w-72 max-w-full flex-col gap-1">
      {views.data?.length === 0 && (
        <p className="px-2 py-1.5 text-sm text-muted">{t('issues.noViews')}</p>
      )}
      <ul>
        {views.data?.map(({ id, name, query, isOwn, userName }) => (
          <li key={id} className="flex items-center">
            <button
              type="button"
              className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded px-2 text-left text-sm hover:bg-hover max-md:min-h-10"
              onClick={() => {
                close();
                void navigate({
                  to: '.',
                  search: Object.fromEntries(new URLSearchParams(query)),
                });
              }}
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {!isOwn && <span className="text-xs text-muted">{userName}</span>}
            </button>
            {isOwn && mayWrite && (
              <IconButton
                icon={Trash2}
                label={t('issues.deleteView', { name })}
                onClick={() => remove.mutate(id)}
              />
            )}
          </li>
        ))}
      </ul>
      {mayWrite && <SaveView onSaved={() => void views.refetch()} />}
    </div>
  );
}

function SaveView({ onSaved }: { onSaved: () => void }) {
  const { id: companyId } = useCompany();
  const { search } = useIssueSearch();
  const held = useHeld(`view of ${companyId}`, { name: '', isShared: false });
  const { name, isShared } = held.value;
  const save = useSend(
    () =>
      unwrap(
        api.POST('/api/companies/{companyId}/views', {
          params: { path: { companyId } },
          body: { name: name.trim(), screen: SCREEN, query: queryOf(search), isShared },
        }),
      ),
    {
      onDone: () => {
        held.clear();
        onSaved();
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') save.mutate(undefined);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-1.5 border-t border-line p-2">
      <Input
        aria-label={t('issues.viewName')}
        placeholder={t('issues.viewName')}
        maxLength={100}
        value={name}
        onChange={(event) => held.change({ name: event.target.value })}
      />
      <div className="flex items-center justify-between gap-2">
        <Checkbox
          label={t('issues.shareView')}
          checked={isShared}
          onChange={(event) => held.change({ isShared: event.target.checked })}
        />
        <Button type="submit" isBusy={save.isPending} disabled={name.trim() === ''}>
          {t('issues.saveView')}
        </Button>
      </div>
    </form>
  );
}

const SCREEN = 'issues';

const queryOf = (search: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(search).filter((each): each is [string, string] => each[1] !== undefined),
  ).toString();
