import { useEffect, useState } from 'react';
import { language } from '../../i18n';

type Describe = (expression: string) => string;

let loaded: Describe | undefined;
let loading: Promise<Describe> | undefined;

/** The library is loaded with the first expression that is shown, with the one language that is needed. */
async function load(): Promise<Describe> {
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
  const [describe, setDescribe] = useState<Describe | undefined>(() => loaded);
  useEffect(() => {
    if (describe) return;
    loading ??= load();
    loading.then(
      (next) => setDescribe(() => next),
      () => undefined,
    );
  }, [describe]);
  return <span title={expression}>{wordsOf(expression, describe)}</span>;
}

function wordsOf(expression: string, describe: Describe | undefined): string {
  if (!describe) return expression;
  try {
    return describe(expression);
  } catch {
    return expression;
  }
}
