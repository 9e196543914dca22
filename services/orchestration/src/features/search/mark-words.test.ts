import { searchedWords } from '../../lists/words-query';
import { markWords, snippetOf } from './mark-words';

const marked = (text: string, q: string) =>
  markWords(text, searchedWords(q)).map(([from, to]) => text.slice(from, to));

describe('markWords and snippetOf', () => {
  it.each([
    ['The login fails, LOGINS too', 'login', ['login', 'LOGINS']],
    ['The login fails, LOGINS too', 'login ', ['login']],
    ['The login fails', 'ogin', []],
    ['Über die Straße', 'uber strasse', ['Über', 'Straße']],
    ['e\u0301cole École', 'ecole', ['e\u0301cole', 'École']],
    ['😀 login 😀', 'login', ['login']],
    ['ＬＯＧＩＮ（２）', 'login 2', ['ＬＯＧＩＮ', '２']],
    ['src/app-foo.ts', 'app-foo', ['app', 'foo']],
    ['login and crash', 'login -crash', ['login']],
    ['login or crash', 'login or crash', ['login', 'crash']],
    ['<script>alert(1)</script>', 'script', ['script', 'script']],
    ['a.*b', '.*', []],
  ])('given the text %j and the query %j, mark the words %j', (text, q, expected) => {
    expect(marked(text, q)).toEqual(expected);
  });

  it('return a one-line snippet around the first match', () => {
    const text = `${'before '.repeat(40)}needle\n${'behind '.repeat(60)}needle`;
    const { snippet, hits } = snippetOf(text, searchedWords('needle'));
    expect(snippet).toMatch(/^… (?:before )+needle (?:behind ?)+ …$/);
    expect(snippet.length).toBeLessThan(220);
    expect(hits.map(([from, to]) => snippet.slice(from, to))).toEqual(['needle']);
    expect(snippetOf('', searchedWords('x'))).toEqual({ snippet: '', hits: [] });
    expect(snippetOf('short', searchedWords('x'))).toEqual({ snippet: 'short', hits: [] });
  });

  it('never split a character', () => {
    const { snippet } = snippetOf('😀'.repeat(500), searchedWords('x'));
    expect(snippet.isWellFormed()).toBe(true);
    const around = snippetOf(
      `${'😀'.repeat(301)}needle${'😀'.repeat(301)}`,
      searchedWords('needle'),
    );
    expect(around.snippet.isWellFormed()).toBe(true);
  });
});
