import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { useCompany } from '../../data/company';
import { useFind, useSettled } from '../../data/find';
import type { Overlay } from '../../frame/overlays';
import { t, word } from '../../i18n';
import { Kbd } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { Dialog } from '../../ui/dialogs/dialog';
import { linkTo } from '../search/found-link';
import { FoundMark } from '../search/found-mark';
import { type Command, useCommands } from './commands';

interface PaletteProps {
  onClose: () => void;
  onOpen: (overlay: Overlay) => void;
}

export function Palette({ onClose, onOpen }: PaletteProps) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const go = useGo(onClose);
  const commands = useCommands({ typed, go, onClose, onOpen });
  const found = useFoundCommands(typed, go);
  const all = [...commands, ...found];
  const at = Math.min(marked, all.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = (at + step + all.length) % all.length;
      setMarked(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') all[at]?.run();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t('frame.search')} onClose={onClose}>
      <input
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={all[at] && `${listId}-${at}`}
        aria-label={t('palette.placeholder')}
        placeholder={t('palette.placeholder')}
        maxLength={200}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
        className="mb-2 min-h-10 w-full rounded-md border border-line-strong bg-surface px-3 text-lg"
      />
      <div id={listId} role="listbox" aria-label={t('frame.search')} className="min-h-64">
        {all.map((command, index) => (
          <Option
            key={command.id}
            id={`${listId}-${index}`}
            command={command}
            isMarked={index === at}
            heading={command.group !== all[index - 1]?.group ? command.group : undefined}
          />
        ))}
        {all.length === 0 && <p className="px-2 py-2 text-muted">{t('state.noneFound')}</p>}
      </div>
    </Dialog>
  );
}

function Option({
  id,
  command,
  isMarked,
  heading,
}: {
  id: string;
  command: Command;
  isMarked: boolean;
  heading: string | undefined;
}) {
  return (
    <>
      {heading && (
        <div role="presentation" className="px-2 pt-2 pb-1 text-xs font-medium text-faint">
          {heading}
        </div>
      )}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isMarked}
        onPointerDown={(event) => {
          event.preventDefault();
          command.run();
        }}
        className={classNames(
          'flex min-h-9 cursor-pointer items-center gap-2.5 rounded px-2 hover:bg-hover max-md:min-h-11',
          isMarked && 'bg-selected',
        )}
      >
        <span className="flex w-4 shrink-0 justify-center text-muted">{command.mark}</span>
        <span className="min-w-0 flex-1 truncate">{command.label}</span>
        {command.hint && <span className="shrink-0 text-xs text-muted">{command.hint}</span>}
        {command.keys && <Kbd>{command.keys}</Kbd>}
      </div>
    </>
  );
}

function useGo(onClose: () => void) {
  const navigate = useNavigate();
  return (link: LinkProps) => {
    onClose();
    void navigate(link as never);
  };
}

function useFoundCommands(typed: string, go: (link: LinkProps) => void): Command[] {
  const { issuePrefix } = useCompany();
  const q = useSettled(typed.trim(), 120);
  const found = useFind(q, undefined, 8);
  if (q === '' || typed.trim() === '') return [];
  const results = (found.data ?? []).map((each): Command => {
    const place = each.identifier ? `${each.identifier} · ` : '';
    return {
      id: `${each.type} ${each.id}`,
      group: t('palette.found'),
      label: each.title,
      hint: place + word('foundType', each.type),
      mark: <FoundMark found={each} />,
      run: () => go(linkTo(each, issuePrefix)),
    };
  });
  return [
    ...results,
    {
      id: 'all',
      group: t('palette.found'),
      label: t('palette.all', { q }),
      run: () =>
        go({
          to: '/$company/search',
          params: { company: issuePrefix },
          search: { q } as never,
        }),
    },
  ];
}
