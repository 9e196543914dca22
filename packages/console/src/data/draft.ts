import { useState } from 'react';

/** Text that was typed and not sent survives a reload, a restart of the service and a wrong click; a tab keeps its own. */
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
