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

/** Keeps a form's input across reloads, except the fields that `secret` lists. */
export function useHeld<Value extends object>(
  name: string,
  initial: Value,
  secret: readonly (keyof Value)[] = [],
): HeldForm<Value> {
  const [text, setText] = useDraft(name);
  const [secrets, setSecrets] = useState<Partial<Value>>({});
  const kept = useMemo(() => (text === '' ? {} : JSON.parse(text)) as Partial<Value>, [text]);
  const typed = useMemo(() => ({ ...kept, ...secrets }), [kept, secrets]);
  return {
    typed,
    value: { ...initial, ...typed },
    isChanged: text !== '' || Object.keys(secrets).length > 0,
    change: (changes) => {
      const isSecret = ([field]: [string, unknown]) => secret.includes(field as keyof Value);
      const all = Object.entries(changes);
      const [hidden, shown] = [all.filter(isSecret), all.filter((each) => !isSecret(each))];
      if (hidden.length > 0) setSecrets({ ...secrets, ...Object.fromEntries(hidden) });
      if (shown.length > 0) setText(JSON.stringify({ ...kept, ...Object.fromEntries(shown) }));
    },
    clear: () => {
      setText('');
      setSecrets({});
    },
  };
}
