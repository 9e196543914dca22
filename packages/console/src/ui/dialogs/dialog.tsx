import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../i18n';
import { IconButton } from '../button';
import { classNames } from '../class-names';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons at the foot, the one that does it last. */
  footer?: ReactNode;
  width?: 'sm' | 'md' | 'lg';
}

const WIDTHS = { sm: 'max-w-sm', md: 'max-w-xl', lg: 'max-w-3xl' };

/** A modal `<dialog>`: the browser keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, children, footer, width = 'md' }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    if (!ref.current?.open) ref.current?.showModal();
    // A form begins in its first field; the browser would begin with the button that closes it.
    ref.current?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select')?.focus();
    // The browser gives the focus back to what had it when a dialog is closed, but not when it is taken away.
    return () => {
      if (document.activeElement === document.body) (before as HTMLElement | null)?.focus?.();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself
    <dialog
      ref={ref}
      aria-label={title}
      onClose={onClose}
      // The browser tells of a close only in a later task, in which a quick next key would be lost.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === ref.current && onClose()}
      className={classNames(
        'w-[calc(100vw-1.5rem)] rounded-lg border border-line-strong bg-raised p-0 shadow-raised',
        WIDTHS[width],
      )}
    >
      <header className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-4">
        <h2 className="text-base font-semibold">{title}</h2>
        <IconButton icon={X} label={t('action.close')} onClick={onClose} />
      </header>
      <div className="max-h-[70dvh] overflow-y-auto px-4 py-4">{children}</div>
      {footer && (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
          {footer}
        </footer>
      )}
    </dialog>
  );
}
