import { useMemo, useState } from 'react';

export function useDraft(name: string): [string, (text: string) => void] {
  const key = `draft ${name}`;
  const [held, setHeld] = useState({ key, text: sessionStorage.getItem(key) ?? '' });
  const text = held.key === key ? held.text : (sessionStorage.getItem(key) ?? '');
  const setText = (next: string) => {
    if (next === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, next);
    setHeld({ key, text: next });
  };
  return [text, setText];
}

export interface Held {
  isChanged: boolean;
  clear: () => void;
}

interface HeldForm<Value extends object> extends Held {
  typed: Partial<Value>;
  value: Value;
  change: (changes: Partial<Value>) => void;
}

/** Keeps a form's input across reloads. Secret values and passwords must not be kept. */
export function useHeld<Value extends object>(name: string, initial: Value): HeldForm<Value> {
  const [text, setText] = useDraft(name);
  const typed = useMemo(() => (text === '' ? {} : JSON.parse(text)) as Partial<Value>, [text]);
  return {
    typed,
    value: { ...initial, ...typed },
    isChanged: text !== '',
    change: (changes) => setText(JSON.stringify({ ...typed, ...changes })),
    clear: () => setText(''),
  };
}
