import { Lexer, parseDocument, stringify } from 'yaml';

export type Fields = Record<string, unknown>;

export interface FileContent {
  fields: Fields;
  text: string | null;
}

export function renderFile({ fields, text }: FileContent): string {
  const head = stringify(fields, { lineWidth: 0, aliasDuplicateObjects: false });
  return `---\n${head}---\n${text === null ? '' : `\n${text}\n`}`;
}

/**
 * @throws Error unless the file begins with valid YAML between two lines of `---`, without aliases
 */
export function parseFile(content: string): FileContent {
  const [whole, head] = /^---\r?\n([\s\S]*?)(?<=\n)---(?:\r?\n|$)/.exec(content) ?? [];
  if (whole === undefined || head === undefined) {
    throw new Error('must begin with YAML between two lines of ---');
  }
  const rest = content.slice(whole.length).replace(/^\r?\n/, '');
  const text = rest === '' ? null : rest.replace(/\r?\n$/, '');
  return { fields: parseFields(head), text };
}

function parseFields(head: string): Fields {
  assertSimple(head);
  const parsed = parseDocument(head, { prettyErrors: false });
  const [problem] = [...parsed.errors, ...parsed.warnings];
  if (problem) throw new Error(`invalid YAML: ${problem.message.split('\n')[0]}`);
  const fields: unknown = parsed.toJS({ maxAliasCount: 0 }) ?? {};
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new Error('the YAML must have a field per line, such as name: Ada');
  }
  return fields as Fields;
}

/** The parser needs exponential time for nested `?` and quadratic time for many tokens. */
function assertSimple(head: string): void {
  let tokens = 0;
  for (const token of new Lexer().lex(head)) {
    if (token === '?') throw new Error('the YAML must not contain keys that begin with ?');
    if (++tokens > MOST_TOKENS) throw new Error(`the YAML must have at most ${MOST_TOKENS} tokens`);
  }
}

const MOST_TOKENS = 10_000;
