import { seatbeltProfile } from './seatbelt';

const POLICY = { readOnly: [], readWrite: ['/srv/ada/work'], network: 'none' } as const;
const lines = (change: Partial<Parameters<typeof seatbeltProfile>[0]> = {}) =>
  seatbeltProfile({ ...POLICY, ...change }).split('\n');

describe('seatbeltProfile', () => {
  it('denies everything by default, and allows writes only to the named folders', () => {
    const [version, first, ...rest] = lines();
    expect([version, first]).toEqual(['(version 1)', '(deny default)']);
    const writing = rest.filter((line) => line.startsWith('(allow') && /file-write\*/.test(line));
    expect(writing).toEqual([
      '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
      '(allow file-read* file-write* (subpath "/srv/ada/work"))',
    ]);
    expect(rest.join('')).not.toMatch(/\(subpath "\/(Users|private\/var\/folders)?"\)/);
  });

  it.each([
    ['none', []],
    ['shared', ['(allow network*)', '(allow system-socket)']],
    [
      { port: 41234, accept: () => undefined },
      ['(allow network-outbound (remote ip "localhost:41234"))'],
    ],
  ] as const)('contains only the network rules for the network %o', (network, allowed) => {
    const found = lines({ network }).filter((line) => /network|socket/.test(line));
    expect(found).toEqual(allowed);
  });

  it('puts the rule for a read-only folder after the rule for the writable folder around it', () => {
    const readOnly = ['/srv/ada/work/.git/objects', '/opt/tools'];
    const all = lines({ readOnly });
    const deny = all.indexOf('(deny file-write* (subpath "/srv/ada/work/.git/objects"))');
    const allow = all.indexOf('(allow file-read* file-write* (subpath "/srv/ada/work"))');
    expect(allow).toBeGreaterThan(0);
    expect(deny).toBeGreaterThan(allow);
    expect(all.join('')).not.toContain('(deny file-write* (subpath "/opt/tools"))');
  });

  it('escapes quotes and backslashes in a path', () => {
    const text = lines({ readWrite: ['/a"b\\c) (allow default'] }).join('\n');
    expect(text).toContain('(subpath "/a\\"b\\\\c) (allow default")');
  });
});
