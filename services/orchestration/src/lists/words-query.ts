/** One part of what somebody looks for: words that follow each other. */
interface Term {
  words: string;
  isNegated: boolean;
  isQuoted: boolean;
}

export interface WordsQuery {
  /** In the language of PostgreSQL's `websearch_to_tsquery`, of letters, digits, blanks, quotes and minus alone. */
  words: string;
  /** What the last word, which may not be typed to its end, begins with; else empty. */
  prefix: string;
  /** The words right before it, where it is a part of one: of `app-fo` `app`. */
  beforePrefix: string;
}

export const NO_WORDS: WordsQuery = { words: '', prefix: '', beforePrefix: '' };

/**
 * Reads what somebody typed: words, `"words that follow each other"`, `-without`, `or`. Punctuation separates words, as it
 * does in the texts, and parts of one word follow each other: `src/app.ts` is `"src app ts"`. Anything else has no meaning,
 * so nothing is refused.
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

/** The words that a text is marked by where it has them. */
export function soughtWords(text: string): { word: string; isPrefix: boolean }[] {
  const { prefix } = readWordsQuery(text);
  const sought = termsOf(text).filter((term) => !term.isNegated && !isOr(term));
  const words = sought.flatMap((term) => term.words.split(' '));
  return words.map((word, at) => ({
    word,
    isPrefix: prefix !== '' && at === words.length - 1,
  }));
}

const TERM = /(-?)(?:"([^"]*)"|([^\s"]+))/g;
/** The last ones are those of texts that PostgreSQL takes for blanks by `search_fold`. */
const PUNCTUATION = /[!-/:-@[-`{-~\s“”„‟‘’‚‛«»‹›—–―…·•‒′″¡¿×÷]+/g;

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

/** The parameters of a statement that looks for words. */
export const WORDS = { words: 'text', prefix: 'text', beforePrefix: 'text' } as const;

/**
 * SQL of the `tsquery`. Where a list is filtered by it, the statement is asked afresh: only a query that is computed when
 * it is planned tells PostgreSQL how frequent the words are. A statement that is planned once computes it in a CTE, or it
 * would be made for each row. The word for kind and company keeps others' entries out; a query without a word finds nothing.
 */
export function wordsQuery(
  p: Readonly<Record<keyof typeof WORDS | 'companyId', string>>,
  kind: string,
): string {
  const words = `websearch_to_tsquery('pg_catalog.simple', search_fold(${p.words}))`;
  // Each word that is open costs as much as all words that begin so: that of an identifier before its hyphen, all issues.
  const before = `phraseto_tsquery('pg_catalog.simple', search_fold(${p.beforePrefix}))`;
  const open = `CASE WHEN btrim(search_fold(${p.prefix})) = '' THEN ''::tsquery
    ELSE to_tsquery('pg_catalog.simple', '''' || search_fold(${p.prefix}) || ''':*') END`;
  const sought = `(${words} && (${before} <-> ${open}))`;
  return `CASE WHEN numnode(${sought}) = 0 THEN '''no word'''::tsquery
    ELSE ${sought} && ('''${kind}/' || ${p.companyId} || '''')::tsquery END`;
}
