import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { tinykeys } from 'tinykeys';
import type { Key } from '../../i18n';

interface Shortcut {
  keys: string;
  label: Key;
  run: (event: KeyboardEvent) => void;
  whileTyping?: boolean;
}

let active: readonly Shortcut[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Shortcut[]): void {
  active = next;
  for (const listener of listeners) listener();
}

export function useKeys(shortcuts: Shortcut[]): void {
  const press = useEffectEvent((keys: string, event: KeyboardEvent) => {
    const shortcut = shortcuts.find((each) => each.keys === keys);
    if (!shortcut || document.querySelector('dialog:modal')) return;
    if (isTyping(event) && !shortcut.whileTyping) return;
    event.preventDefault();
    // Renders before the next key, so that a fast second key applies to the new row.
    flushSync(() => shortcut.run(event));
  });
  const all = JSON.stringify(shortcuts.map(({ keys }) => keys));
  // Binds once, not per render, because the page may render between the two keys of `g i`.
  useEffect(() => {
    const bindings = (JSON.parse(all) as string[]).map((keys) => [
      keys,
      (event: KeyboardEvent) => press(keys, event),
    ]);
    return tinykeys(window, Object.fromEntries(bindings));
  }, [all]);
  useEffect(() => {
    change([...active, ...shortcuts]);
    return () => change(active.filter((each) => !shortcuts.includes(each)));
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

export function shownKeys(keys: string): string {
  const [, key] = keys.split('$mod+');
  if (key === undefined) return PRINTED[keys] ?? keys;
  return `${isApple ? '⌘' : 'Ctrl '}${PRINTED[key] ?? key.toUpperCase()}`;
}
