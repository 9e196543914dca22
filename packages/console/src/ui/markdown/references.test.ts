import { handlesOf, referencesIn, referencesOf } from './references';

const ADA = { id: 'a', name: 'Ada' };
const ADA_LOVELACE = { id: 'b', name: 'Ada Lovelace' };
const JUERGEN = { id: 'c', name: 'Jürgen Weiß' };
const find = referencesIn('ACM', [ADA, ADA_LOVELACE, JUERGEN]);
const found = (text: string) => find(text).filter(({ kind }) => kind !== 'text');

describe('referencesIn', () => {
  it('finds agents by every spelling, and prefers the longest match', () => {
    expect(found('@Ada Lovelace, @ada-lovelace and @ADA')).toEqual([
      { kind: 'agent', text: '@Ada Lovelace', agentId: 'b' },
      { kind: 'agent', text: '@ada-lovelace', agentId: 'b' },
      { kind: 'agent', text: '@ADA', agentId: 'a' },
    ]);
    expect(found('@jürgenweiß')).toEqual([{ kind: 'agent', text: '@jürgenweiß', agentId: 'c' }]);
  });

  it('finds the board and the identifiers of issues', () => {
    expect(found('@board: see acm-12, not ACM-012, XACM-3 or ACM-4x')).toEqual([
      { kind: 'board', text: '@board' },
      { kind: 'issue', text: 'acm-12', identifier: 'ACM-12' },
    ]);
  });

  it.each(['mail@ada', '@@ada', 'path/@ada', 'key=@ada', '@ada.com', '@adam', '@ada@x', '@eve'])(
    'finds no reference in %s',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );

  it('finds URLs, but excludes punctuation after a URL', () => {
    expect(found('(see https://example.com/a?b=@ada.) or http://localhost:1, ftp://x')).toEqual([
      { kind: 'address', text: 'https://example.com/a?b=@ada' },
      { kind: 'address', text: 'http://localhost:1' },
    ]);
  });

  it('keeps every character of the text', () => {
    const text = 'ACM-1@Ada  @Ada, ACM-2.';
    expect(
      find(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it('finds no agent by a spelling that two agents share', () => {
    const twins = referencesIn('ACM', [ADA_LOVELACE, { id: 'd', name: 'AdaLovelace' }]);
    expect(twins('@AdaLovelace')).toEqual([{ kind: 'text', text: '@AdaLovelace' }]);
  });

  it('treats pattern characters in names literally', () => {
    const odd = referencesIn('A.B', [{ id: 'e', name: 'C++ (beta)' }]);
    expect(odd('@C++ (beta) AxB-1')).toEqual([
      { kind: 'agent', text: '@C++ (beta)', agentId: 'e' },
      { kind: 'text', text: ' AxB-1' },
    ]);
  });
});

describe('handlesOf', () => {
  it('returns the service’s spellings of a name with several words', () => {
    expect(handlesOf('Grace Hopper')).toEqual([
      'grace hopper',
      'grace-hopper',
      'grace_hopper',
      'gracehopper',
    ]);
    expect(handlesOf('Ada')).toEqual(['ada']);
  });
});

it('referencesOf computes the references once per company and list of agents', () => {
  const agents = [ADA, JUERGEN];
  expect(referencesOf('ACM', agents)).toBe(referencesOf('ACM', agents));
  expect(referencesOf('ACM', [...agents])).not.toBe(referencesOf('ACM', agents));
  expect(referencesOf('BEN', agents)('ACM-1')).toEqual([{ kind: 'text', text: 'ACM-1' }]);
  expect(referencesOf('ACM', agents)('ACM-1')).toMatchObject([{ identifier: 'ACM-1' }]);
});
