import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../i18n';
import { IconButton } from './button';
import { classNames } from './class-names';
import { useTopElement } from './dialogs/open-dialogs';

interface Toast {
  text: string;
  tone?: 'plain' | 'bad';
  isOffline?: boolean;
  action?: { label: string; run: () => void };
}

interface ShownToast extends Toast {
  id: number;
}

let shown: readonly ShownToast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

export function showToast(toast: Toast): void {
  const id = nextId++;
  const others = shown.filter(({ text }) => text !== toast.text);
  change([...others.slice(-2), { ...toast, id }]);
  if (toast.tone !== 'bad') setTimeout(() => dismiss(id), SHOWN_MS);
}

export const dismissOffline = () => change(shown.filter(({ isOffline }) => !isOffline));

const SHOWN_MS = 6_000;

const dismiss = (id: number) => change(shown.filter((toast) => toast.id !== id));

function change(next: readonly ShownToast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The toast is rendered inside an open modal dialog, because everything outside the dialog is
 * inert.
 */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  const top = useTopElement() ?? document.body;
  return createPortal(
    <section
      aria-live="polite"
      aria-label={t('frame.messages')}
      className="pointer-events-none fixed inset-x-3 bottom-16 z-50 flex flex-col items-center gap-2 md:right-4 md:bottom-4 md:left-auto md:items-end"
    >
      {toasts.map(({ id, text, tone, action }) => (
        <div
          key={id}
          role={tone === 'bad' ? 'alert' : 'status'}
          className={classNames(
            'pointer-events-auto flex max-w-lg items-center gap-3 rounded-md border bg-raised py-1.5 pr-1.5 pl-3 text-sm shadow-raised',
            tone === 'bad' ? 'border-bad/50 text-bad' : 'border-line-strong',
          )}
        >
          <span>{text}</span>
          {action && (
            <button
              type="button"
              className="shrink-0 font-medium text-accent hover:underline"
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton icon={X} label={t('action.close')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </section>,
    top,
  );
}
