import { useEffect, useState } from 'react';

export function useTypedText(asked: string, handOn: (text: string) => void) {
  const [typed, setTyped] = useState(asked);
  const [seen, setSeen] = useState(asked);
  const [handed, setHanded] = useState(asked);
  if (seen !== asked) {
    setSeen(asked);
    // Ignores an update that the field itself caused, because the user may have typed more by then.
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
