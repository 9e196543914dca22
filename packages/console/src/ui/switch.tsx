import type { ReactNode } from 'react';
import { classNames } from './class-names';

interface SwitchProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  label?: string;
  disabled?: boolean;
  children?: ReactNode;
}

export const Switch = ({ isOn, onChange, label, disabled, children }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-checked={isOn}
    aria-label={label}
    disabled={disabled}
    onClick={() => onChange(!isOn)}
    className="inline-flex min-h-7 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-sm hover:bg-hover disabled:opacity-55 max-md:min-h-9"
  >
    <span
      aria-hidden
      className={classNames(
        'inline-flex h-4 w-7 items-center rounded-full border px-0.5 transition-colors',
        isOn
          ? 'justify-end border-accent-fill bg-accent-fill text-on-accent'
          : 'border-line-strong bg-surface text-muted',
      )}
    >
      <span className="size-2.5 rounded-full bg-current" />
    </span>
    {children}
  </button>
);
