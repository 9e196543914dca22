import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { classNames } from './class-names';

const TONES = {
  primary: 'bg-accent-fill text-on-accent hover:bg-accent-fill-hover border-transparent',
  plain: 'bg-raised text-text hover:bg-hover border-line-strong',
  quiet: 'bg-transparent text-muted hover:bg-hover hover:text-text border-transparent',
  danger: 'bg-raised text-bad hover:bg-bad-soft border-line-strong',
} as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: keyof typeof TONES;
  icon?: LucideIcon;
  shortcut?: string;
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  tone = 'plain',
  icon: Icon,
  shortcut,
  isBusy,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={classNames(
        'inline-flex min-h-7 shrink-0 items-center justify-center gap-1.5 rounded-md border px-2.5 text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-55 max-md:min-h-9',
        TONES[tone],
        className,
      )}
    >
      {Icon && <Icon size={14} aria-hidden />}
      {children}
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </button>
  );
}

export function IconButton({
  icon: Icon,
  label,
  className,
  ...rest
}: Omit<ButtonProps, 'tone' | 'shortcut'> & { icon: LucideIcon; label: string }) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classNames(
        'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text disabled:opacity-55 max-md:size-9',
        className,
      )}
    >
      <Icon size={15} aria-hidden />
    </button>
  );
}

export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="rounded border border-current/25 px-1 font-sans text-[10.5px] leading-4 max-md:hidden">
      {children}
    </kbd>
  );
}
