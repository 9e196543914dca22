import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { classNames } from '../class-names';

interface MenuProps {
  trigger: ReactNode;
  label: string;
  className?: string;
  align?: 'start' | 'end';
  onOpen?: () => void;
  children: (close: () => void) => ReactNode;
}

export function Menu({ trigger, label, className, align = 'start', onOpen, children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => panel.current?.hidePopover();
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={className}
      >
        {trigger}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={(event) => {
          const opens = event.newState === 'open';
          setOpen(opens);
          if (opens) onOpen?.();
          if (opens && button.current && panel.current) place(panel.current, button.current, align);
        }}
        className="m-0 max-h-[60dvh] max-w-[calc(100vw-1rem)] min-w-44 overflow-y-auto rounded-md border border-line-strong bg-raised p-1 text-text shadow-raised"
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}

function place(panel: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  requestAnimationFrame(() => {
    const anchor = button.getBoundingClientRect();
    const { width, height } = panel.getBoundingClientRect();
    const left = align === 'start' ? anchor.left : anchor.right - width;
    const below = anchor.bottom + GAP;
    const top = below + height > innerHeight ? anchor.top - GAP - height : below;
    panel.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    panel.style.top = `${Math.max(GAP, top)}px`;
    panel.querySelector<HTMLElement>('input, button, a')?.focus();
  });
}

const GAP = 4;

export function MenuItem({
  icon: Icon,
  tone,
  isChosen,
  hint,
  onClick,
  children,
}: {
  icon?: LucideIcon;
  tone?: 'danger';
  isChosen?: boolean;
  hint?: ReactNode;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={classNames(
        'flex min-h-8 w-full items-center gap-2 rounded px-2 text-left text-sm hover:bg-hover max-md:min-h-10',
        tone === 'danger' && 'text-bad',
        isChosen && 'bg-selected',
      )}
    >
      {Icon && <Icon size={14} aria-hidden className="shrink-0" />}
      <span className="flex min-w-0 flex-1 items-center gap-2">{children}</span>
      {hint && <span className="text-xs text-faint">{hint}</span>}
    </button>
  );
}
