import { useEffect, useState } from 'react';
import { language } from '../../i18n';

type ToString = (expression: string) => string;

let loaded: ToString | undefined;
let loading: Promise<ToString> | undefined;

/** The library is loaded with the first expression that is shown, with the one language that is needed. */
async function load(): Promise<ToString> {
  const [{ default: cronstrue }] = await Promise.all([
    import('cronstrue'),
    language() === 'de' && import('cronstrue/locales/de'),
  ]);
  const options = { locale: language(), use24HourTimeFormat: true };
  loaded = (expression) => cronstrue.toString(expression, options);
  return loaded;
}

/** "At 09:00, Monday through Friday"; the expression itself until that is known, or where it is none. */
export function CronInWords({ expression }: { expression: string }) {
  const [toString, setToString] = useState<ToString | undefined>(() => loaded);
  useEffect(() => {
    if (toString) return;
    loading ??= load();
    loading.then(
      (next) => setToString(() => next),
      () => undefined,
    );
  }, [toString]);
  return <span title={expression}>{wordsOf(expression, toString)}</span>;
}

function wordsOf(expression: string, toString: ToString | undefined): string {
  if (!toString) return expression;
  try {
    return toString(expression);
  } catch {
    return expression;
  }
}
