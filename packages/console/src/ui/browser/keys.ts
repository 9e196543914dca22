import { useEffect, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { tinykeys } from 'tinykeys';
import type { Key } from '../../i18n';

interface Shortcut {
  /** As tinykeys writes it: `j`, `g i`, `$mod+k`. */
  keys: string;
  label: Key;
  run: (event: KeyboardEvent) => void;
  /** Also while somebody types, for keys with a modifier. */
  whileTyping?: boolean;
}

let active: readonly Shortcut[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Shortcut[]): void {
  active = next;
  for (const listener of listeners) listener();
}

/** Keys that hold as long as the component is on the page; `?` lists them. A dialog keeps them to itself. */
export function useKeys(shortcuts: Shortcut[]): void {
  useEffect(() => {
    change([...active, ...shortcuts]);
    const bindings = shortcuts.map(({ keys, run, whileTyping }) => [
      keys,
      (event: KeyboardEvent) => {
        if (document.querySelector('dialog:modal') || (!whileTyping && isTyping(event))) return;
        event.preventDefault();
        // Shown before the next key is read: fast typing must find the row that this one has marked.
        flushSync(() => run(event));
      },
    ]);
    const unbind = tinykeys(window, Object.fromEntries(bindings));
    return () => {
      unbind();
      change(active.filter((each) => !shortcuts.includes(each)));
    };
  });
}

export const useActiveKeys = (): readonly Shortcut[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => active,
  );

function isTyping({ target }: KeyboardEvent): boolean {
  const element = target as HTMLElement;
  return element.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName);
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const PRINTED: Record<string, string> = { Enter: '↵', 'Shift+?': '?' };

/** As they are printed on the keyboard. */
export function shownKeys(keys: string): string {
  const [, key] = keys.split('$mod+');
  if (key === undefined) return PRINTED[keys] ?? keys;
  return `${isApple ? '⌘' : 'Ctrl '}${PRINTED[key] ?? key.toUpperCase()}`;
}
