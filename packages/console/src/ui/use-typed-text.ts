import { useEffect, useState } from 'react';

/** A text field whose value is in the address: updates it after a pause in typing, and follows changes by Back or by a link. */
export function useTypedText(asked: string, handOn: (text: string) => void) {
  const [typed, setTyped] = useState(asked);
  const [seen, setSeen] = useState(asked);
  const [handed, setHanded] = useState(asked);
  if (seen !== asked) {
    setSeen(asked);
    // The own update returns while more may have been typed.
    if (asked !== handed) {
      setHanded(asked);
      setTyped(asked);
    }
  }
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === asked.trim()) return;
    const timer = setTimeout(() => {
      setHanded(wanted);
      handOn(wanted);
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  });
  return [typed, setTyped] as const;
}

const SETTLED_MS = 250;
