import { Pencil } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useDraft, useHeld } from '../../data/draft';
import { useMayWrite } from '../../data/rights';
import type { TextVersion } from '../../data/text-change';
import { t } from '../../i18n';
import { shownKeys } from '../../ui/browser/keys';
import { Button, IconButton } from '../../ui/button';
import { Textarea } from '../../ui/field';
import { Markdown } from '../../ui/markdown/markdown';
import { Ago } from '../../ui/time';
import { useAuthorName } from './author';
import type { Issue } from './issue';
import { useTextChange } from './use-text-change';

export function Request({ issue }: { issue: Issue }) {
  const author = useAuthorName(issue.createdByAgentId, issue.createdByUserId);
  return (
    <section aria-label={t('issue.request')} className="border-b border-line pb-5">
      <Title issue={issue} />
      <p className="mt-1 mb-3 text-sm text-muted">
        {author ? t('issue.askedBy', { name: author }) : t('issue.asked')}{' '}
        <Ago at={issue.createdAt} />
      </p>
      <Description issue={issue} />
    </section>
  );
}

function Title({ issue: { id, title, revision } }: { issue: Issue }) {
  const mayWrite = useMayWrite();
  const change = useTextChange(id, 'title');
  const [typed, setTyped] = useState<string>();
  const base = useRef<TextVersion>({ text: title, revision });
  const save = (text: string) => {
    setTyped(undefined);
    const next = text.replace(/\s+/g, ' ').trim();
    if (next !== '' && next !== base.current.text) change.save(next, base.current);
  };
  if (typed === undefined) {
    return (
      <div className="group flex items-start gap-1">
        {change.dialog}
        <h2 className="text-xl font-semibold">{title}</h2>
        {mayWrite && (
          <IconButton
            icon={Pencil}
            label={t('issue.editTitle')}
            onClick={() => {
              base.current = { text: title, revision };
              setTyped(title);
            }}
            className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100 max-md:opacity-100"
          />
        )}
      </div>
    );
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setTyped(undefined);
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save(typed);
  };
  return (
    <Textarea
      autoFocus
      rows={1}
      aria-label={t('issue.title')}
      maxLength={500}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => save(typed)}
      onKeyDown={onKeyDown}
      className="text-xl font-semibold"
    />
  );
}

const NO_VERSION: Partial<TextVersion> = {};

function Description({ issue: { id, description, revision } }: { issue: Issue }) {
  const mayWrite = useMayWrite();
  const change = useTextChange(id, 'description');
  const [draft, setDraft] = useDraft(`description ${id}`);
  const base = useHeld<Partial<TextVersion>>(`description before ${id}`, NO_VERSION);
  const [isEditing, setEditing] = useState(draft !== '');
  if (!isEditing) {
    return (
      <>
        {description ? (
          <Markdown text={description} />
        ) : (
          <p className="text-muted">{t('issue.noDescription')}</p>
        )}
        {mayWrite && (
          <Button
            tone="quiet"
            icon={Pencil}
            className="mt-2 -ml-2.5"
            onClick={() => {
              setDraft(description ?? '');
              base.change({ text: description, revision });
              setEditing(true);
            }}
          >
            {t(description ? 'issue.editDescription' : 'issue.addDescription')}
          </Button>
        )}
      </>
    );
  }
  const end = () => {
    setDraft('');
    base.clear();
    setEditing(false);
  };
  const save = (event?: FormEvent) => {
    event?.preventDefault();
    const text = draft.trim() === '' ? null : draft;
    change.save(text, { text: description, revision, ...base.value }, end);
  };
  return (
    <form onSubmit={save} className="flex flex-col gap-2">
      {change.dialog}
      <Textarea
        autoFocus
        rows={6}
        aria-label={t('issue.description')}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save();
        }}
        className="max-h-[60dvh]"
      />
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={end}>
          {t('action.cancel')}
        </Button>
        <Button
          tone="primary"
          type="submit"
          shortcut={shownKeys('$mod+Enter')}
          isBusy={change.isPending}
        >
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}
