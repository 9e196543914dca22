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

export function useDraftOf<Value>(name: string, empty: Value): [Value, (value: Value) => void] {
  const [text, setText] = useDraft(name);
  const value = useMemo(() => (text === '' ? empty : (JSON.parse(text) as Value)), [text, empty]);
  return [value, (next) => setText(isEmpty(next) ? '' : JSON.stringify(next))];
}

const isEmpty = (value: unknown) => JSON.stringify(value) === '{}';
