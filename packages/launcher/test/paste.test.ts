import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

function commandsOf(page: string): string[] {
  let fence: string | undefined;
  return page.split('\n').filter((line) => {
    const mark = /^```(\w*)/.exec(line);
    if (mark) fence = fence === undefined ? mark[1] : undefined;
    return !mark && (fence === undefined ? line.startsWith('    ') : fence === 'sh');
  });
}

const commented = (page: string) => commandsOf(page).filter((line) => /(^|\s)#(\s|$)/.test(line));

const folders = ['.', 'docs', ...['packages', 'services'].flatMap(within)];

function within(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder)).map((name) => path.join(folder, name));
}

const pages = folders.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name)),
);

it.each(pages)(
  '%s has no comment in a command, because zsh would pass the comment as arguments',
  (page) => {
    expect(commented(readFileSync(path.join(ROOT, page), 'utf8'))).toEqual([]);
  },
);

it('the check finds comments only in commands', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', path.join('docs', 'operating.md')]));
  expect(commented('```sh\nls # files\n```\n\n    cat x  # the file\n')).toHaveLength(2);
  expect(commented('# Title\n\n```ts\nlet x; // # no\n```\n\n    node x#y\n')).toEqual([]);
});
