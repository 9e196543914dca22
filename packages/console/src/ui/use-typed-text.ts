import { useEffect, useState } from 'react';

export function useTypedText(asked: string, handOn: (text: string) => void) {
  const [typed, setTyped] = useState(asked);
  const [seen, setSeen] = useState(asked);
  const [handed, setHanded] = useState(asked);
  if (seen !== asked) {
    setSeen(asked);
    // Ignores the field's own update, because it arrives late: the user may have typed more.
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
