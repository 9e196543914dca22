import { createWorkspaceBody } from './workspaces';

const accepts = (body: object) => createWorkspaceBody.safeParse(body).success;

describe('the schema of a workspace’s location', () => {
  it.each([
    'https://example.com/acme/yard',
    'https://example.com/acme/yard.git/',
    'https://example.com:8443/~ann/my@yard',
    'https://Git.Example.com/ACME/yard',
    'https://127.0.0.1/yard',
    'https://[::1]:8443/yard',
    'ssh://git@example.com/acme/yard.git',
    'ssh://git@example.com:2222/acme/yard.git',
    'ssh://example.com/acme/yard.git',
    'git@example.com:acme/yard.git',
    'git@example.com:/srv/yard.git',
    'git@example.com:yard',
    'deploy_1.x-y@git_host.example.com:a:b',
    'https://example.com/größe',
  ])('accepts the repository %s', (repoUrl) => {
    expect(accepts({ repoUrl })).toBe(true);
  });

  it.each([
    '',
    'yard',
    '/srv/yard',
    './yard',
    'example.com:acme/yard',
    'http://example.com/yard',
    'git://example.com/yard',
    'file:///srv/yard',
    'ext::sh -c touch% /tmp/x',
    'HTTPS://example.com/yard',
    'https://example.com',
    'https://example.com/',
    'https://example.com//',
    'https:///yard',
    'https://user@example.com/yard',
    'https://user:password@example.com/yard',
    'https://token:x-oauth-basic@example.com/yard',
    'https://:password@example.com/yard',
    'https://user:123@example.com/yard',
    'https://user%40x@example.com/yard',
    'https://example.com/yard?access_token=x',
    'https://example.com/yard#x',
    'https://example.com\\@other.com/yard',
    'https://example.com/a\\b',
    'https://example.com:port/yard',
    'https://example.com:123456/yard',
    'ssh://git:password@example.com/yard',
    'ssh://-oProxyCommand=x/yard',
    'ssh://git@-oProxyCommand=x/yard',
    'ssh://%2DoProxyCommand=x/yard',
    'ssh://-git@example.com/yard',
    'ssh://git@example.com',
    '-git@example.com:yard',
    '--upload-pack=x',
    'git@-oProxyCommand=x:yard',
    'git@example.com:-yard',
    'git@example.com:',
    'git@example.com:/',
    'git:password@example.com:yard',
    ' https://example.com/yard',
    'https://example.com/yard ',
    'https://example.com/ya rd',
    'https://example.com/ya\nrd',
    'https://example.com/yard\n',
    'https://example.com/ya\trd',
    'https://example.com/ya\0rd',
    'https://example.com/ya\u0085rd',
    'https://example.com/\ud800',
    `https://example.com/${'x'.repeat(2_000)}`,
  ])('refuses the repository %j', (repoUrl) => {
    expect(accepts({ repoUrl })).toBe(false);
    expect(accepts({ repoUrl, cwd: '/srv' })).toBe(false);
  });

  it.each(['/', '/srv/ship', '/srv/my ship/', '/srv/../ship', `/${'x'.repeat(4_094)}`])(
    'accepts the directory %s',
    (cwd) => {
      expect(accepts({ cwd })).toBe(true);
    },
  );

  it.each([
    '',
    'srv',
    './srv',
    '~/srv',
    '-',
    ' /srv',
    'C:\\srv',
    '/a\0',
    '/\udc00',
    '/'.repeat(4_096),
  ])('refuses the directory %j', (cwd) => {
    expect(accepts({ cwd })).toBe(false);
  });

  it.each(['main', 'release/1.2', 'v1.0-rc', 'größe', '9fceb02', 'refs/heads/a@b'])(
    'accepts the reference %s',
    (repoRef) => {
      expect(accepts({ cwd: '/srv', repoRef })).toBe(true);
    },
  );

  it.each([
    '',
    '-main',
    '--upload-pack=x',
    'HEAD~2',
    'main^',
    'main:refs/heads/other',
    '+main',
    'refs/heads/*',
    'a?',
    'a[b',
    'a\\b',
    'a..b',
    '../main',
    '@{upstream}',
    'a@{1}',
    '@',
    '/main',
    'a//b',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'main/',
    'main.',
    'a b',
    ' main',
    'main\n',
    'a\tb',
    'a\u00a0b',
    'a\0b',
    'a\u007fb',
    '\ud800',
    'x'.repeat(256),
  ])('refuses the reference %j', (repoRef) => {
    expect(accepts({ cwd: '/srv', repoRef })).toBe(false);
  });

  it.each(['a@', '/', 'a.', '-', ':', '@:', 'https://', '[:', '~', ' '])(
    'refuses an address of 2,000 characters that repeats %j',
    (tail) => {
      for (const head of ['https://', 'ssh://', '']) {
        const repoUrl = (head + tail.repeat(2_000)).slice(0, 2_000);
        expect({ repoUrl, accepted: accepts({ repoUrl }) }).toEqual({ repoUrl, accepted: false });
      }
    },
  );
});
