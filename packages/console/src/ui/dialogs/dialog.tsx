import { useBlocker } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { sentenceOf } from '../../data/api';
import type { Held } from '../../data/draft';
import { fieldErrorsOf } from '../../data/field-errors';
import { t } from '../../i18n';
import { Button, IconButton } from '../button';
import { classNames } from '../class-names';
import { RefusalContext } from '../field';
import { noteOpen } from './open-dialogs';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  width?: 'sm' | 'md' | 'lg';
  losesInput?: boolean;
  held?: Held;
}

const WIDTHS = { sm: 'max-w-sm', md: 'max-w-xl', lg: 'max-w-3xl' };

export function Dialog({
  title,
  onClose,
  children,
  footer,
  width = 'md',
  held,
  losesInput = held !== undefined,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const [refusal, setRefusal] = useState<unknown>();
  const [isTouched, setTouched] = useState(false);
  const isChanged = useRef(false);
  isChanged.current = losesInput && (held ? held.isChanged : isTouched);
  const [isAsking, setAsking] = useState(false);
  const away = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged.current && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  });
  const settle = useEffectEvent(() => {
    isChanged.current = false;
    setTouched(false);
    held?.clear();
  });
  useEffect(() => {
    const before = document.activeElement;
    const element = ref.current as HTMLDialogElement;
    if (!element.open) element.showModal();
    element.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select')?.focus();
    const closed = noteOpen({ element, showRefusal: setRefusal, settle: () => settle() });
    // Restores the focus, because the browser does so when a dialog closes, but not when it is
    // removed.
    return () => {
      closed();
      if (document.activeElement === document.body) (before as HTMLElement | null)?.focus?.();
    };
  }, []);
  useEffect(() => {
    if (refusal === undefined) return;
    const frame = requestAnimationFrame(() =>
      ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [refusal]);
  const leave = () => {
    if (isChanged.current) setAsking(!isAsking);
    else onClose();
  };
  const discard = () => {
    settle();
    onClose();
    if (away.status === 'blocked') away.proceed();
  };
  const keep = () => {
    setAsking(false);
    if (away.status === 'blocked') away.reset();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself
    <dialog
      ref={ref}
      aria-label={title}
      onClose={onClose}
      // Closes the dialog before the browser's close event, because that event comes in a later
      // task and a key pressed until then would be lost.
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClick={(event) => event.target === ref.current && leave()}
      onInput={() => setTouched(true)}
      className={classNames(
        'w-[calc(100vw-1.5rem)] rounded-lg border border-line-strong bg-raised p-0 shadow-raised',
        WIDTHS[width],
      )}
    >
      <header className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-4">
        <h2 className="text-base font-semibold">{title}</h2>
        <IconButton icon={X} label={t('action.close')} onClick={leave} />
      </header>
      <div className="max-h-[70dvh] overflow-y-auto px-4 py-4">
        <RefusalContext.Provider value={fieldErrorsOf(refusal)}>{children}</RefusalContext.Provider>
      </div>
      {refusal !== undefined && (
        <p role="alert" className="border-t border-line px-4 py-2 text-sm text-bad">
          {sentenceOf(refusal)}
        </p>
      )}
      {isAsking || away.status === 'blocked' ? (
        // The keys differ, so that React creates new buttons. Otherwise the clicked button would
        // become the form's submit button during the click.
        <footer
          key="question"
          className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3"
        >
          <span role="alert" className="flex-1 text-sm">
            {t('form.discardQuestion')}
          </span>
          <Button tone="quiet" onClick={keep}>
            {t('form.keep')}
          </Button>
          <Button tone="danger" onClick={discard}>
            {t('form.discard')}
          </Button>
        </footer>
      ) : (
        footer && (
          <footer
            key="actions"
            className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3"
          >
            {footer}
          </footer>
        )
      )}
    </dialog>
  );
}
