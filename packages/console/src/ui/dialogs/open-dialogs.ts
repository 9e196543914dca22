import { useSyncExternalStore } from 'react';

/** A modal dialog that is on the screen. */
export interface OpenDialog {
  element: HTMLElement;
  /** Shows why the service refused what the dialog sent; undefined takes it away. */
  showRefusal: (error: unknown) => void;
}

let open: readonly OpenDialog[] = [];
const listeners = new Set<() => void>();

function change(next: readonly OpenDialog[]): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Returns what closes it. */
export function noteOpen(dialog: OpenDialog): () => void {
  change([...open, dialog]);
  return () => change(open.filter((each) => each !== dialog));
}

/** The dialog above all others, which alone can be used; undefined where none is open. */
export const topDialog = (): OpenDialog | undefined => open.at(-1);

export const isOpen = (dialog: OpenDialog): boolean => open.includes(dialog);

/** The part of the page that can be used: what is outside of a modal dialog is inert. */
export const useTopElement = (): HTMLElement | undefined =>
  useSyncExternalStore(subscribe, () => topDialog()?.element);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
