import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparation, requestFor, useRepositories } from '../../test/repository-caches';
import { isRecent } from './git/git-version';
import type { RepositoryOptions } from './repository-cache';

const TOKEN = 'canary-token-of-a-repository';

const repositories = useRepositories();

describe('RepositoryCache without git', () => {
  const nowhere = { PATH: '/nonexistent' };

  it('fails permanently with git_missing', async () => {
    const cache = repositories.open({ inherited: nowhere });
    expect(await cache.prepare(requestFor('https://127.0.0.1:1/a/b'), preparation())).toEqual({
      refusal: {
        status: 'failed',
        exitCode: null,
        errorCode: 'git_missing',
        error: 'git is not installed on the runner’s host',
        transient: false,
      },
    });
  });

  it.each([
    ['file:///srv/yard', 'repository_address_invalid'],
    ['http://example.com/yard', 'repository_address_invalid'],
    ['ext::sh -c touch% x', 'repository_address_invalid'],
    ['--upload-pack=touch', 'repository_address_invalid'],
    ['https://user:password@example.com/yard', 'repository_address_invalid'],
    ['https://1.2.3.4.5/yard', 'repository_address_invalid'],
    ['https://10.0.0.1/yard', 'repository_address_refused'],
    ['https://169.254.169.254/latest', 'repository_address_refused'],
    ['https://0xa9fea9fe/latest', 'repository_address_refused'],
    ['https://[::ffff:10.0.0.1]/yard', 'repository_address_refused'],
    ['ssh://git@192.168.0.1/yard', 'repository_address_refused'],
    ['git@10.1.1.1:yard', 'repository_address_refused'],
  ])('rejects %s before it starts git', async (url, errorCode) => {
    const cache = repositories.open({ inherited: nowhere });
    const { refusal } = (await cache.prepare(requestFor(url), preparation())) as {
      refusal: object;
    };
    expect(refusal).toMatchObject({ status: 'failed', errorCode, transient: false });
    expect(await readdir(repositories.root)).toEqual([]);
  });

  it('rejects loopback unless it is allowed, and rejects ssh to a name with any private address', async () => {
    const addresses = ['93.184.216.34', '10.0.0.1'];
    const lookup = ((_host: string, _options: object, done: (e: null, all: object[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as never;
    const rules = { allowLoopback: false, allowedHosts: [], lookup };
    const cache = repositories.open({ rules, inherited: nowhere });
    const codeOf = async (url: string) => {
      const answer = await cache.prepare(requestFor(url), preparation());
      return 'refusal' in answer && 'errorCode' in answer.refusal && answer.refusal.errorCode;
    };
    expect(await codeOf('https://127.0.0.1/yard')).toBe('repository_address_refused');
    expect(await codeOf('ssh://git@both.example.com/yard')).toBe('repository_address_refused');
    expect(await codeOf('git@both.example.com:yard')).toBe('repository_address_refused');
    expect(await codeOf('https://both.example.com/yard')).toBe('git_missing');
    addresses.shift();
    expect(await codeOf('https://both.example.com/yard')).toBe('repository_address_refused');
  });

  it('rejects a reference that resembles an option or a refspec, and a token for ssh', async () => {
    const cache = repositories.open({ inherited: nowhere });
    for (const ref of ['--upload-pack=x', 'a:b', '+a', 'a..b', '@{-1}', 'a b']) {
      expect(
        await cache.prepare(requestFor('https://127.0.0.1/x', { ref }), preparation()),
      ).toMatchObject({
        refusal: { errorCode: 'repository_ref_unknown', transient: false },
      });
    }
    const ssh = requestFor('ssh://git@127.0.0.1/x', { credential: TOKEN });
    expect(await cache.prepare(ssh, preparation())).toMatchObject({
      refusal: { errorCode: 'repository_credential', transient: false },
    });
  });

  it('returns a transient refusal if the lock is lost or unavailable, and rethrows other errors', async () => {
    const lost = new AbortController();
    lost.abort();
    const throwing = (error: unknown) => async () => {
      throw error;
    };
    const codeOf = async (exclusive: RepositoryOptions['exclusive']) =>
      repositories.open({ exclusive }).prepare(requestFor('https://127.0.0.1:1/x'), preparation());
    const transient = { refusal: { errorCode: 'repository_lock_lost', transient: true } };
    expect(await codeOf((_key, _signal, work) => work(lost.signal))).toMatchObject(transient);
    expect(await codeOf(throwing(lost.signal.reason))).toMatchObject(transient);
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(await codeOf(throwing(refused))).toMatchObject(transient);
    await expect(codeOf(throwing(new TypeError('a defect')))).rejects.toThrow('a defect');
  });

  it('fails permanently if the host is unknown, and temporarily if the lookup fails', async () => {
    let code = 'ENOTFOUND';
    const lookup = ((_host: string, _options: object, done: (error: Error) => void) =>
      done(Object.assign(new Error(code), { code }))) as never;
    const rules = { allowLoopback: true, allowedHosts: [], lookup };
    const cache = repositories.open({ rules });
    expect(await cache.prepare(requestFor('https://no.example/x'), preparation())).toMatchObject({
      refusal: { errorCode: 'repository_host_unknown', transient: false },
    });
    code = 'EAI_AGAIN';
    expect(await cache.prepare(requestFor('git@no.example:x'), preparation())).toMatchObject({
      refusal: { errorCode: 'repository_unreachable', transient: true },
    });
  });
});

it.each([
  ['1.9.9', false],
  ['2.4.50', false],
  ['2.31.8', false],
  ['2.32.0', true],
  ['2.39.5', true],
  ['3.0.0', true],
])('isRecent() of git %s returns %s', (version, isGood) => {
  expect(isRecent(version)).toBe(isGood);
});

it('RepositoryCache rejects a git version that cannot override a repository’s settings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'old-git-'));
  writeFileSync(join(folder, 'git'), '#!/bin/sh\necho git version 2.25.1\n', { mode: 0o755 });
  const cache = repositories.open({ inherited: { PATH: folder } });
  expect(await cache.prepare(requestFor('https://127.0.0.1:1/x'), preparation())).toMatchObject({
    refusal: { errorCode: 'git_too_old', transient: false },
  });
  rmSync(folder, { recursive: true });
});
