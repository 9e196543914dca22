import type { SourceFile } from './source-rules';

/** One sentence of a comment, a test title, a text in the code or a document. */
export interface Text {
  path: string;
  line: number;
  kind: 'comment' | 'test' | 'string' | 'prose';
  text: string;
}

export interface Finding extends Text {
  rule: string;
}

const CODE = /\.(?:tsx?|mts|mjs|cjs)$/;
const HASHED = /\.(?:ya?ml|sh|env\.example)$|Dockerfile$|\.env\.example$/;
const isLineMark = (path: string): RegExp | null => {
  if (CODE.test(path)) return /^\s*\/\//;
  if (path.endsWith('.prisma')) return /^\s*\/\/\/?/;
  if (path.endsWith('.sql')) return /^\s*--/;
  return HASHED.test(path) ? /^\s*#(?!!)/ : null;
};
const DIRECTIVE = /^\s*(?:\/\/|#|\/\*) *(?:biome-ignore|@ts-|eslint|syntax=)/;

/** JSDoc tags in JavaScript files, which the compiler reads as types, are not prose. */
const TYPES_ONLY = /^@(?:type|param|typedef|template|returns)\b/;

/** Returns comments that begin a line; consecutive line comments count as one. */
export function commentsOf({ path, text }: SourceFile): (Text & { lines: number })[] {
  const mark = isLineMark(path);
  if (!mark) return [];
  const found: (Text & { lines: number })[] = [];
  let isInBlock = false;
  let previousMark = -2;
  for (const [at, line] of text.split('\n').entries()) {
    const last = found.at(-1);
    if (isInBlock && last) {
      last.text += ` ${line.replace(/^\s*\*?\s?/, '').replace(/\*\/.*$/, '')}`;
      last.lines += 1;
      isInBlock = !line.includes('*/');
    } else if (DIRECTIVE.test(line)) {
      previousMark = -2;
    } else if (CODE.test(path) && /^\s*\/\*/.test(line)) {
      isInBlock = !line.includes('*/');
      const body = line.replace(/^\s*\/\*+\s*/, '').replace(/\*\/.*$/, '');
      found.push({ path, line: at + 1, kind: 'comment', text: body, lines: 1 });
    } else if (mark.test(line)) {
      const body = line.replace(mark, '').replace(/^[/#-]*\s*/, '');
      if (last && previousMark === at - 1) {
        last.text += ` ${body}`;
        last.lines += 1;
      } else found.push({ path, line: at + 1, kind: 'comment', text: body, lines: 1 });
      previousMark = at;
    }
  }
  return found
    .map((comment) => ({ ...comment, text: comment.text.trim() }))
    .filter(({ text }) => !TYPES_ONLY.test(text));
}

const TEST_NAME =
  /\b(?:it|test|describe)(?:\.each\([\s\S]*?\))?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;
const isTestFile = (path: string) => /\.(?:test|browser)\.tsx?$/.test(path);

function matchesOf({ path, text }: SourceFile, pattern: RegExp, kind: Text['kind']): Text[] {
  return [...text.matchAll(pattern)].map((match) => ({
    path,
    line: lineAt(text, match.index),
    kind,
    text: (match[1] ?? match[2] ?? match[3] ?? '').trim(),
  }));
}

/** Returns texts of four words and more in product code: error and log messages, descriptions. */
function stringsOf(file: SourceFile): Text[] {
  if (file.path.startsWith('packages/console/') && file.path.endsWith('.json')) {
    return matchesOf(file, /:\s*"((?:[^"\\\n]|\\.)*)"/g, 'string');
  }
  if (!CODE.test(file.path) || /\/test\/|\.test\./.test(file.path)) return [];
  const code = file.text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return matchesOf({ ...file, text: code }, STRING, 'string').filter(
    ({ text }) => text.split(/\s+/).length >= 4 && !/\b(?:SELECT|UPDATE|INSERT|FROM)\b/.test(text),
  );
}

function proseOf({ path, text }: SourceFile): Text[] {
  if (!path.endsWith('.md')) return [];
  let isFenced = false;
  return text.split('\n').flatMap((line, at) => {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced || !line.trim()) return [];
    const words = line.replace(/`[^`]*`|"[^"]*"/g, '``').replace(/\]\([^)]*\)/g, ']');
    return [{ path, line: at + 1, kind: 'prose' as const, text: words }];
  });
}

export const textsOf = (file: SourceFile): Text[] => [
  ...commentsOf(file),
  ...(isTestFile(file.path) ? matchesOf(file, TEST_NAME, 'test') : []),
  ...stringsOf(file),
  ...proseOf(file),
];

const PER = 'run|agent|company|issue|file|asset|request|row|table|query|line|person|column';
const COUNTED = 'attempts?|rows?|files?|statements?|requests?|calls?|verbs?|tests?|one|two|three';

const WORDS: [rule: string, pattern: RegExp][] = [
  ['"is no" for "is not a"', /(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer|more\b|less\b)/],
  ['"alone" for "only"', /(?<!\b(?:leav\w*|left|let|stand|run|runs|not) (?:\w+ )?)\balone\b/i],
  ['"told" for reported, notified', /\b(?:told|tells)\b/i],
  ['"anew" for "again"', /\banew\b/i],
  ['"beside" for "next to", "in addition to"', /\bbesides?\b/i],
  ['an actor without a name', /\b(?:[Ww]ho(?:so)?ever|[Ss]omebody|[Nn]obody)\b/],
  ['"in vain"', /\bin vain\b/i],
  ['"let go of" for "release"', /\b(?:lets?|letting) go of\b/i],
  ['"a" for "per"', new RegExp(`\\b(?:${COUNTED}) an? (?:${PER})\\b(?! (?:of|is|has|that)\\b)`)],
];

const COMMENT_START =
  /^(?:What|Who|Whom|Whose|Which|Whether|Whoever|Whatever|Of|As|So|Nor)\b(?! of the\b| soon\b)/;
const TEST_START =
  /^(?:[Ww]hat|[Ww]ho|[Ww]hom|[Ww]hose|[Ww]hich|[Ww]hether|[Ww]hoever|[Oo]f|[Aa]s|[Ss]o|is|are|was|were|and|nor|but|also|even|that)\b/;
const MESSAGE_START = /^(?:[Ww]hat|[Ww]ho|[Ww]hoever|[Nn]one)\b.*[^?]$/;

const STARTS: Partial<Record<Text['kind'], [rule: string, pattern: RegExp]>> = {
  comment: ['beginning of a comment', COMMENT_START],
  test: ['beginning of a test name', TEST_START],
  string: ['beginning of a message', MESSAGE_START],
};

const MOST_COMMENTS = 0.3;

function commentShare(file: SourceFile): Finding[] {
  const lines = file.text.split('\n').length;
  if (!CODE.test(file.path) || lines < 40) return [];
  const comments = commentsOf(file).reduce((sum, comment) => sum + comment.lines, 0);
  if (comments / lines <= MOST_COMMENTS) return [];
  const text = `${comments} of ${lines} lines`;
  return [{ path: file.path, line: 1, kind: 'comment', text, rule: 'share of comments' }];
}

/** Returns every sentence that breaks a mechanical rule of CONTRIBUTING.md, "Plain English". */
export function plainEnglish(file: SourceFile): Finding[] {
  const found = textsOf(file).flatMap((text) => {
    const start = text.path.endsWith('.json') ? undefined : STARTS[text.kind];
    const rules = start ? [...WORDS, start] : WORDS;
    return rules
      .filter(([, pattern]) => pattern.test(text.text))
      .map(([rule]) => ({ ...text, rule }));
  });
  return [...found, ...commentShare(file)];
}

const PART = /^(?:services\/[^/]+\/src|packages|services)\/[^/]+|^[^/]+(?=\/)/;

/** Returns a file's part of the repository: a package, or a folder of a service. */
export function partOf(path: string): string {
  if (path.startsWith('services/orchestration/src/features/')) {
    return path.split('/').slice(0, 5).join('/');
  }
  const found = PART.exec(path)?.[0];
  return found && !/\.\w+$/.test(found) ? found : '.';
}

export const describeFinding = ({ path, line, rule, text }: Finding) =>
  `${path}:${line}: ${rule}: ${text.slice(0, 120)}`;
