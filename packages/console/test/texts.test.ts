import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

const SOURCES = join(import.meta.dirname, '../src');

const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(SOURCES, name), 'utf8'));

const placeholders = (text: string) =>
  [...text.replace(BRANCH, '').matchAll(/\{(\w+)(?=[,}])/g)].map((match) => match[1]).sort();

const BRANCH = /\b(?:zero|one|two|few|many|other|true|false)\s*\{\w+\}|=\d+\s*\{\w+\}/g;

const SPOKEN = /^(?:title|alt|placeholder|label|aria-label|aria-description|aria-valuetext)$/;

interface Node {
  type?: string;
  value?: unknown;
  name?: { value?: string };
  [key: string]: unknown;
}

const EXAMPLES = ['https://…', 'main'];

function eachNode(file: string, visit: (node: Node) => void): void {
  const walk = (node: Node): void => {
    visit(node);
    for (const child of Object.values(node)) {
      if (child && typeof child === 'object') walk(child as Node);
    }
  };
  const text = readFileSync(join(SOURCES, file), 'utf8');
  const tsx = file.endsWith('.tsx');
  walk(parseSync(text, { syntax: 'typescript', tsx }) as unknown as Node);
}

function wordsOf(file: string): string[] {
  const found: string[] = [];
  const keep = (text: unknown) => {
    const word = String(text).trim();
    if (/\p{L}{2,}/u.test(word) && !EXAMPLES.includes(word)) found.push(`${file}: ${word}`);
  };
  eachNode(file, (node) => {
    if (node.type === 'JSXText') keep(node.value);
    const attribute = node.value as Node | undefined;
    const isSpoken = node.type === 'JSXAttribute' && SPOKEN.test(String(node.name?.value));
    if (isSpoken && attribute?.type === 'StringLiteral') keep(attribute.value);
  });
  return found;
}

function keysWithoutValues(file: string): string[] {
  const found: string[] = [];
  eachNode(file, ({ type, callee, arguments: sent }) => {
    if (type !== 'CallExpression' || (callee as Node).value !== 't') return;
    const [first, second] = sent as { expression: Node }[];
    if (first?.expression.type !== 'StringLiteral' || second) return;
    found.push(String(first.expression.value));
  });
  return found;
}

const FOLDERS = [
  'i18n',
  'sign-in',
  'screens/activity/texts',
  'screens/routines/texts',
  'screens/runners/texts',
  'screens/settings/texts',
  'screens/webhooks/texts',
  'ui/log-view/transcript/texts',
];

describe('the console’s texts', () => {
  const pair = (folder: string) =>
    [folder, read(`${folder}/en.json`), read(`${folder}/de.json`)] as const;

  it.each(FOLDERS.map(pair))(
    'have the same keys and placeholders in English and German: %s',
    (_, english, german) => {
      expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
      for (const [key, text] of Object.entries(english)) {
        const other = german[key] as string;
        expect({ key, isEmpty: other.trim() === '' }).toEqual({ key, isEmpty: false });
        const names = (each: string) => [...new Set(placeholders(each))];
        expect({ key, names: names(other) }).toEqual({ key, names: names(text) });
      }
    },
  );

  it('never appear literally in a screen', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    const screens = files.filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'));
    expect(screens.length).toBeGreaterThan(30);
    expect(screens.flatMap(wordsOf)).toEqual([]);
  });

  it('contain no placeholder if the code passes only the key', () => {
    const english = Object.assign({}, ...FOLDERS.map((folder) => read(`${folder}/en.json`)));
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => /(?<!\.d|\.test)\.tsx?$/.test(file));
    const keys = [...new Set(sources.flatMap(keysWithoutValues))];
    expect(keys.length).toBeGreaterThan(500);
    const isOpen = (key: string) => placeholders(english[key] ?? '').length > 0;
    expect(keys.filter(isOpen)).toEqual([]);
  });
});
