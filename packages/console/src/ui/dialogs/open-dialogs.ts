import { useSyncExternalStore } from 'react';

export interface OpenDialog {
  element: HTMLElement;
  showRefusal: (error: unknown) => void;
  settle: () => void;
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

export const topDialog = (): OpenDialog | undefined => open.at(-1);

export const isOpen = (dialog: OpenDialog): boolean => open.includes(dialog);

export const useTopElement = (): HTMLElement | undefined =>
  useSyncExternalStore(subscribe, () => topDialog()?.element);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
