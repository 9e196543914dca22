import { useEffect, useState } from 'react';

/**
 * A text that the address holds, while somebody types: it is handed on once nobody has typed for a moment, and
 * follows the address where that changes by itself, by Back or by a link.
 */
export function useTypedText(asked: string, handOn: (text: string) => void) {
  const [typed, setTyped] = useState(asked);
  const [seen, setSeen] = useState(asked);
  const [handed, setHanded] = useState(asked);
  if (seen !== asked) {
    setSeen(asked);
    // What was handed on comes back while more may have been typed.
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
