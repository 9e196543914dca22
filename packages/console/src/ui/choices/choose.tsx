import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { t } from '../../i18n';
import { classNames } from '../class-names';
import { Menu } from './menu';

export interface Choice<Value> {
  value: Value;
  label: string;
  mark?: ReactNode;
  hint?: string;
  disabledBecause?: string | undefined;
}

interface ChooseProps<Value> {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | readonly Value[];
  onChoose: (value: Value) => void;
  trigger?: ReactNode;
  className?: string;
  align?: 'start' | 'end';
  onOpen?: () => void;
}

export function Choose<Value extends string | null>({
  label,
  choices,
  value,
  onChoose,
  trigger,
  className,
  align,
  onOpen,
}: ChooseProps<Value>) {
  const isChosen = (each: Value) => (Array.isArray(value) ? value.includes(each) : value === each);
  const chosen = choices.find((choice) => isChosen(choice.value));
  return (
    <Menu
      label={chosen && !Array.isArray(value) ? `${label}: ${chosen.label}` : label}
      align={align}
      onOpen={onOpen}
      className={
        className ??
        'inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-md border border-line-strong bg-raised px-2 text-sm hover:bg-hover max-md:min-h-9'
      }
      trigger={
        trigger ?? (
          <>
            {chosen?.mark}
            <span className="truncate">{chosen?.label ?? label}</span>
          </>
        )
      }
    >
      {(close) => (
        <ChoiceList
          label={label}
          choices={choices}
          isChosen={isChosen}
          onChoose={(next) => {
            onChoose(next);
            if (!Array.isArray(value)) close();
          }}
        />
      )}
    </Menu>
  );
}

export function ChoiceList<Value extends string | null>({
  label,
  choices,
  isChosen,
  onChoose,
}: {
  label: string;
  choices: readonly Choice<Value>[];
  isChosen: (value: Value) => boolean;
  onChoose: (value: Value) => void;
}) {
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const found = choices.filter((choice) =>
    choice.label.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase()),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setMarked((at) => Math.max(0, Math.min(found.length - 1, at + step)));
    else if (event.key === 'Enter') {
      const choice = found[marked];
      if (choice && !choice.disabledBecause) onChoose(choice.value);
    } else return;
    event.preventDefault();
  };
  return (
    <div className="flex min-w-52 flex-col">
      {choices.length > MANY && (
        <input
          role="combobox"
          aria-expanded
          aria-controls="choices"
          aria-label={label}
          placeholder={label}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setMarked(0);
          }}
          onKeyDown={onKeyDown}
          className="mb-1 min-h-8 rounded border border-line bg-surface px-2 text-sm"
        />
      )}
      <div role="listbox" id="choices" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {found.slice(0, SHOWN).map((choice, index) => (
          <button
            key={String(choice.value)}
            type="button"
            role="option"
            aria-selected={isChosen(choice.value)}
            disabled={choice.disabledBecause !== undefined}
            title={choice.disabledBecause}
            onClick={() => onChoose(choice.value)}
            className={classNames(
              'flex min-h-8 w-full items-center gap-2 rounded px-2 text-left text-sm hover:bg-hover disabled:opacity-50 max-md:min-h-10',
              isChosen(choice.value) && 'bg-selected',
              index === marked && typed !== '' && 'bg-hover',
            )}
          >
            {choice.mark}
            <span className="min-w-0 flex-1 truncate">{choice.label}</span>
            {choice.hint && <span className="text-xs text-faint">{choice.hint}</span>}
          </button>
        ))}
        {found.length === 0 && (
          <p className="px-2 py-2 text-sm text-muted">{t('state.noneFound')}</p>
        )}
      </div>
    </div>
  );
}

const MANY = 7;
const SHOWN = 100;
