interface Term {
  words: string;
  isNegated: boolean;
  isQuoted: boolean;
}

export interface WordsQuery {
  words: string;
  prefix: string;
  beforePrefix: string;
}

export const NO_WORDS: WordsQuery = { words: '', prefix: '', beforePrefix: '' };

/**
 * Parses words, `"phrases"`, `-without` and `or`. Punctuation separates words, and the parts of one
 * word form a phrase: `src/app.ts` is `"src app ts"`. Accepts any text.
 */
export function readWordsQuery(text: string): WordsQuery {
  const terms = termsOf(text);
  const hasAlternatives = terms.some(isOr);
  const last = terms.at(-1);
  const isOpen = last && !last.isNegated && !last.isQuoted && !hasAlternatives && /\S$/.test(text);
  const closed = isOpen ? terms.slice(0, -1) : terms;
  const parts = isOpen ? last.words.split(' ') : [];
  return {
    words: closed.map(written).join(' '),
    prefix: parts.at(-1) ?? '',
    beforePrefix: parts.slice(0, -1).join(' '),
  };
}

export function searchedWords(text: string): { word: string; isPrefix: boolean }[] {
  const { prefix } = readWordsQuery(text);
  const sought = termsOf(text).filter((term) => !term.isNegated && !isOr(term));
  const words = sought.flatMap((term) => term.words.split(' '));
  return words.map((word, at) => ({
    word,
    isPrefix: prefix !== '' && at === words.length - 1,
  }));
}

const TERM = /(-?)(?:"([^"]*)"|([^\s"]+))/g;
const PUNCTUATION = /[!-/:-@[-`{-~\s“”„‟‘’‚‛«»‹›—–―…·•‒′″¡¿×÷！-／：-＠［-｀｛-～]+/g;

function termsOf(text: string): Term[] {
  const terms = [...text.matchAll(TERM)].map(([, minus, quoted, bare]) => ({
    words: (quoted ?? bare ?? '').replace(PUNCTUATION, ' ').trim(),
    isNegated: minus === '-',
    isQuoted: quoted !== undefined,
  }));
  const meant = terms.filter(({ words }) => words !== '');
  const [first, last] = [
    meant.findIndex((term) => !isOr(term)),
    meant.findLastIndex((term) => !isOr(term)),
  ];
  return first === -1 ? [] : meant.slice(first, last + 1);
}

const isOr = ({ words, isQuoted, isNegated }: Term) =>
  !isQuoted && !isNegated && words.toLowerCase() === 'or';

function written(term: Term): string {
  if (isOr(term)) return 'or';
  return `${term.isNegated ? '-' : ''}"${term.words}"`;
}

export const WORDS = { words: 'text', prefix: 'text', beforePrefix: 'text' } as const;

/**
 * SQL of the `tsquery`. Also requires the marker word that limits matches to entries of the company
 * and `kind` (an SQL expression).
 */
export function wordsQuery(
  p: Readonly<Record<keyof typeof WORDS | 'companyId', string>>,
  kind: string,
): string {
  const words = `websearch_to_tsquery('pg_catalog.simple', search_fold(${p.words}))`;
  // Searching a prefix costs as much as searching all words that begin with it. The prefix of an
  // identifier would match all issues.
  const before = `phraseto_tsquery('pg_catalog.simple', search_fold(${p.beforePrefix}))`;
  const open = `CASE WHEN btrim(search_fold(${p.prefix})) = '' THEN ''::tsquery
    ELSE to_tsquery('pg_catalog.simple', '''' || search_fold(${p.prefix}) || ''':*') END`;
  const sought = `(${words} && (${before} <-> ${open}))`;
  return `CASE WHEN numnode(${sought}) = 0 THEN '''no word'''::tsquery
    ELSE ${sought} && ('''' || ${kind} || '/' || ${p.companyId} || '''')::tsquery END`;
}
