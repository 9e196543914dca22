export interface SqlMutation {
  /** Places of the same text, because a statement may contain a fragment several times. */
  at: number[];
  was: string;
  becomes: string;
}

interface Change {
  from: number;
  to: number;
  text: string;
}

interface Token {
  text: string;
  from: number;
  to: number;
  depth: number;
}

const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\$?\w[\w.]*|[-+*/<>=~!@#%^&|?]+|[^\s\w]/g;

/** Words that end a condition at their depth, in addition to AND and OR. */
const BOUNDARY = new Set(
  `WHERE ON HAVING WHEN THEN ELSE GROUP ORDER LIMIT FOR RETURNING UNION SELECT JOIN LEFT CROSS SET
  AS WINDOW INTO VALUES WITH ,`.split(/\s+/),
);

const CONTEXT = 25;

const SWAPS: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

/**
 * Returns changes of a statement: each condition of AND counts as true, each of OR as false; `<`
 * and `<=`, `>` and `>=`, ascending and descending order change places; row locks disappear. A
 * condition stays in the text, because PostgreSQL rejects parameters that a statement never uses.
 */
export function sqlMutations(sql: string): SqlMutation[] {
  const tokens = readTokens(sql);
  const changes = [
    ...conditions(sql, tokens),
    ...tokens.flatMap(({ text, from, to }) => swap(text, from, to)),
    ...orders(tokens),
    ...[
      ...sql.matchAll(/\bFOR (?:NO KEY )?(?:UPDATE|SHARE)(?: OF \w+)?(?: SKIP LOCKED| NOWAIT)?/g),
    ].map(({ index, 0: lock }) => ({ from: index, to: index + lock.length, text: '' })),
  ];
  const mutations = new Map<string, SqlMutation>();
  for (const { from, to, text } of changes) {
    const was = sql.slice(from, to);
    const context = text.startsWith('(') ? was : sql.slice(from - CONTEXT, to + CONTEXT);
    const known = mutations.get(`${context} ${text}`);
    if (known) known.at.push(from);
    else mutations.set(`${context} ${text}`, { at: [from], was, becomes: text });
  }
  for (const { at } of mutations.values()) at.sort((one, other) => one - other);
  return [...mutations.values()];
}

function swap(text: string, from: number, to: number): Change[] {
  const other = SWAPS[text];
  return other ? [{ from, to, text: other }] : [];
}

function readTokens(sql: string): Token[] {
  let depth = 0;
  return [...sql.matchAll(TOKEN)].map(({ index, 0: text }) => {
    if (text === ')' || text === 'END') depth--;
    const token = { text, from: index, to: index + text.length, depth };
    if (text === '(' || text === 'CASE') depth++;
    return token;
  });
}

function conditions(sql: string, tokens: Token[]): Change[] {
  const found = new Map<number, Change>();
  for (const [at, { text, depth }] of tokens.entries()) {
    if ((text !== 'AND' && text !== 'OR') || isOfBetween(tokens, at)) continue;
    const left = { last: at - 1, first: at - 1 };
    while (!endsCondition(tokens, left.first - 1, depth)) left.first--;
    const right = { first: at + 1, last: at + 1 };
    while (!endsCondition(tokens, right.last + 1, depth)) right.last++;
    for (const { first, last } of [left, right]) {
      const from = tokens[first]?.from ?? 0;
      const to = tokens[last]?.to ?? 0;
      const as = text === 'AND' ? 'true OR' : 'false AND';
      const mutation = { from, to, text: `(${as} (${sql.slice(from, to)}))` };
      if (text === 'AND' || !found.has(from)) found.set(from, mutation);
    }
  }
  return [...found.values()];
}

function endsCondition(tokens: Token[], at: number, depth: number): boolean {
  const token = tokens[at];
  if (!token || token.depth < depth) return true;
  if (token.depth > depth) return false;
  if (token.text === 'AND' || token.text === 'OR') return !isOfBetween(tokens, at);
  return endsClause(token);
}

const endsClause = ({ text }: Token) => BOUNDARY.has(text);

function isOfBetween(tokens: Token[], at: number): boolean {
  const { depth } = tokens[at] as Token;
  const before = tokens.slice(0, at).reverse();
  const outside = before.findIndex((token) => token.depth < depth);
  const same = outside === -1 ? before : before.slice(0, outside);
  const stop = same.find(
    (token) =>
      token.depth === depth && (/^(AND|OR|BETWEEN)$/.test(token.text) || endsClause(token)),
  );
  return stop?.text === 'BETWEEN';
}

function orders(tokens: Token[]): Change[] {
  const changes: Change[] = [];
  for (const [at, { text, depth }] of tokens.entries()) {
    if (text !== 'BY' || tokens[at - 1]?.text !== 'ORDER') continue;
    let last = at + 1;
    for (; ; last++) {
      const token = tokens[last];
      const isIn = token !== undefined && token.depth >= depth;
      if (isIn && !(token.depth === depth && endsClause(token))) continue;
      const end = tokens[last - 1];
      if (end?.text === 'DESC') changes.push({ from: end.from, to: end.to, text: 'ASC' });
      else if (end?.text === 'ASC') changes.push({ from: end.from, to: end.to, text: 'DESC' });
      else if (end) changes.push({ from: end.to, to: end.to, text: ' DESC' });
      if (token?.text !== ',') break;
    }
  }
  return changes;
}
