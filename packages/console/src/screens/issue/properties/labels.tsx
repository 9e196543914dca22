import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useLabels } from '../../../data/directory';
import { useChangeIssue } from '../../../data/issue-writes';
import { useMayWrite } from '../../../data/rights';
import { t } from '../../../i18n';
import { LabelTag } from '../../../ui/choices/label-tag';
import { Menu, MenuItem } from '../../../ui/choices/menu';
import type { Issue } from '../issue';

export function Labels({ issue: { id, labels } }: { issue: Issue }) {
  const mayWrite = useMayWrite();
  const change = useChangeIssue();
  const set = (next: string[]) => change.mutate({ id, change: { labels: next } });
  return (
    <div className="flex flex-wrap items-center gap-1 px-1">
      {labels.map((label) => (
        <LabelTag key={label} name={label}>
          {mayWrite && (
            <button
              type="button"
              aria-label={t('issue.removeLabel', { label })}
              className="-mr-1 inline-flex size-4 items-center justify-center rounded-full hover:bg-hover"
              onClick={() => set(labels.filter((each) => each !== label))}
            >
              <X size={11} aria-hidden />
            </button>
          )}
        </LabelTag>
      ))}
      {mayWrite && (
        <Menu
          label={t('issue.addLabel')}
          className="inline-flex size-6 items-center justify-center rounded-md text-muted hover:bg-hover disabled:opacity-50 max-md:size-9"
          trigger={<Plus size={14} aria-hidden />}
        >
          {(close) => (
            <LabelMenu
              chosen={labels}
              onChoose={(label) => {
                close();
                set([...labels, label]);
              }}
            />
          )}
        </Menu>
      )}
    </div>
  );
}

function LabelMenu({
  chosen,
  onChoose,
}: {
  chosen: readonly string[];
  onChoose: (label: string) => void;
}) {
  const known = useLabels();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  const has = (names: readonly string[], name: string) =>
    names.some((each) => each.toLocaleLowerCase() === name.toLocaleLowerCase());
  const offered = (known.data ?? [])
    .map(({ name }) => name)
    .filter((name) => !has(chosen, name))
    .filter((name) => name.toLocaleLowerCase().includes(wanted.toLocaleLowerCase()));
  const isNew = wanted !== '' && !has(chosen, wanted) && !has(offered, wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [first] = offered;
    const label = isNew ? wanted : (offered.find((each) => has([each], wanted)) ?? first);
    if (label) onChoose(label);
  };
  return (
    <form onSubmit={submit} className="flex w-56 flex-col">
      <input
        aria-label={t('issue.addLabel')}
        placeholder={t('issue.findLabel')}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="mb-1 min-h-8 rounded border border-line bg-surface px-2 text-sm"
      />
      {offered.slice(0, 50).map((label) => (
        <MenuItem key={label} onClick={() => onChoose(label)}>
          <span className="truncate">{label}</span>
        </MenuItem>
      ))}
      {isNew && (
        <MenuItem icon={Plus} onClick={() => onChoose(wanted)}>
          <span className="truncate">{t('issue.newLabel', { label: wanted })}</span>
        </MenuItem>
      )}
    </form>
  );
}
