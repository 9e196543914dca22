import { type KeyboardEvent, useId, useState } from 'react';
import { t } from '../../i18n';
import type { Choice } from '../choices/choose';
import { classNames } from '../class-names';
import { Dialog } from './dialog';

interface PickDialogProps<Value> {
  title: string;
  choices: readonly Choice<Value>[];
  value: Value;
  /**
   * Call `onPick` for the present value too, because some of the selected entities may have another
   * value.
   */
  isBulk?: boolean;
  onPick: (value: Value) => void;
  onClose: () => void;
}

export function PickDialog<Value extends string | null>({
  title,
  choices,
  value,
  isBulk = false,
  onPick,
  onClose,
}: PickDialogProps<Value>) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLocaleLowerCase();
  const found = choices
    .filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
    .slice(0, SHOWN);
  const present = found.findIndex((choice) => choice.value === value);
  const [moved, setMoved] = useState<number>();
  const marked = moved ?? Math.max(0, wanted === '' ? present : 0);
  const pick = (choice: Choice<Value> | undefined) => {
    if (!choice || choice.disabledBecause) return;
    onClose();
    if (isBulk || choice.value !== value) onPick(choice.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setMoved((marked + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') pick(found[marked]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={title} onClose={onClose} width="sm">
      <input
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found[marked] && `${listId}-${marked}`}
        aria-label={title}
        placeholder={t('form.typeToFind')}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setMoved(undefined);
        }}
        onKeyDown={onKeyDown}
        className="mb-2 min-h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-base"
      />
      <div id={listId} role="listbox" aria-label={title}>
        {found.map((choice, index) => (
          <div
            key={String(choice.value)}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === marked}
            aria-disabled={choice.disabledBecause !== undefined || undefined}
            title={choice.disabledBecause}
            onPointerDown={(event) => {
              event.preventDefault();
              pick(choice);
            }}
            className={classNames(
              'flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 text-sm max-md:min-h-10',
              index === marked && 'bg-hover',
              choice.disabledBecause && 'cursor-not-allowed text-faint',
            )}
          >
            {choice.mark}
            <span className="min-w-0 flex-1 truncate">{choice.label}</span>
            {choice.hint && <span className="text-xs text-muted">{choice.hint}</span>}
          </div>
        ))}
        {found.length === 0 && (
          <p className="px-2 py-2 text-sm text-muted">{t('state.noneFound')}</p>
        )}
      </div>
    </Dialog>
  );
}

const SHOWN = 50;
