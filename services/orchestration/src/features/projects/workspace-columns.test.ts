import { workspaceName } from './workspace-columns';

describe('workspaceName', () => {
  it.each([
    ['/srv/ship', null, 'ship'],
    ['/srv/ship/', null, 'ship'],
    ['/srv/ship//', 'https://example.com/other', 'ship'],
    ['/srv/a:b', null, 'a:b'],
    ['/srv/bare.git', null, 'bare.git'],
    ['/srv/ ', null, 'srv'],
    ['/', null, '/'],
    [null, 'https://example.com/acme/yard.git', 'yard'],
    [null, 'https://example.com/acme/yard/', 'yard'],
    [null, 'ssh://git@example.com:2222/yard', 'yard'],
    [null, 'git@example.com:yard.git', 'yard'],
    [null, 'git@example.com:.git', '.git'],
    [`/${'x'.repeat(300)}`, null, 'x'.repeat(200)],
    [`/${'x'.repeat(199)}😀`, null, 'x'.repeat(199)],
  ])('given cwd %s and repoUrl %s, returns the name %s', (cwd, repoUrl, name) => {
    expect(workspaceName(cwd, repoUrl)).toBe(name);
  });
});
