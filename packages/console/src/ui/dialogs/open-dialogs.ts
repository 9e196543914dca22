import { useSyncExternalStore } from 'react';

export interface OpenDialog {
  element: HTMLElement;
  /** Shows why the service refused; undefined removes it. */
  showRefusal: (error: unknown) => void;
}

let open: readonly OpenDialog[] = [];
const listeners = new Set<() => void>();

function change(next: readonly OpenDialog[]): void {
  open = next;
  for (const listener of listeners) listener();
}

export function noteOpen(dialog: OpenDialog): () => void {
  change([...open, dialog]);
  return () => change(open.filter((each) => each !== dialog));
}

/** The topmost dialog, the only usable one; undefined if none is open. */
export const topDialog = (): OpenDialog | undefined => open.at(-1);

export const isOpen = (dialog: OpenDialog): boolean => open.includes(dialog);

/** The usable part of the page: everything outside a modal dialog is inert. */
export const useTopElement = (): HTMLElement | undefined =>
  useSyncExternalStore(subscribe, () => topDialog()?.element);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
