import { useEffect, useState } from 'react';
import { language } from '../../i18n';

type InWords = (expression: string) => string;

let loaded: InWords | undefined;
let loading: Promise<InWords> | undefined;

async function load(): Promise<InWords> {
  const [{ default: cronstrue }] = await Promise.all([
    import('cronstrue'),
    language() === 'de' && import('cronstrue/locales/de'),
  ]);
  const options = { locale: language(), use24HourTimeFormat: true };
  loaded = (expression) => cronstrue.toString(expression, options);
  return loaded;
}

export function CronInWords({ expression }: { expression: string }) {
  const [inWords, setInWords] = useState<InWords | undefined>(() => loaded);
  useEffect(() => {
    if (inWords) return;
    loading ??= load();
    loading.then(
      (next) => setInWords(() => next),
      () => undefined,
    );
  }, [inWords]);
  return <span title={expression}>{wordsOf(expression, inWords)}</span>;
}

function wordsOf(expression: string, inWords: InWords | undefined): string {
  if (!inWords) return expression;
  try {
    return inWords(expression);
  } catch {
    return expression;
  }
}
