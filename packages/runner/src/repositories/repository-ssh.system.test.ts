import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CONFINEMENTS, confinementsBy } from '../../test/confinements';
import { git, hasGit, sayWhetherTried } from '../../test/git-server';
import { openCache } from '../../test/repository-caches';
import { hasSshServer, makeKey, startSshServer } from '../../test/ssh-server';
import type { RepositoryOptions, RepositoryRequest } from './repository-cache';

const UNCONFINED = confinementsBy('off');

const pem = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Records its arguments, key and environment, then runs the remote command on this host. */
const RECORDING_SSH = `#!${process.execPath}
const { dirname } = require('node:path');
const { appendFileSync, readFileSync, statSync } = require('node:fs');
const args = process.argv.slice(2);
const file = /^IdentityFile="(.*)"$/.exec(args.find((arg) => arg.startsWith('IdentityFile=')) ?? '')?.[1];
const key = file && {
  file,
  text: readFileSync(file, 'utf8'),
  mode: statSync(file).mode & 0o777,
  folderMode: statSync(dirname(file)).mode & 0o777,
};
appendFileSync(RECORD, JSON.stringify({ args, key, env: process.env }) + '\\n');
const { status } = require('node:child_process').spawnSync('sh', ['-c', args.at(-1)], { stdio: 'inherit' });
process.exit(status ?? 1);
`;

interface Recorded {
  args: string[];
  key?: { file: string; text: string; mode: number; folderMode: number };
  env: Record<string, string>;
}

describe('RepositoryCache over ssh', () => {
  let root: string;
  let record: string;
  let bare: string;
  const withGit = hasGit();

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ssh-access-')));
    record = join(root, 'record');
    bare = join(root, 'yard.git');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const build = (
    change: Partial<RepositoryOptions['ssh']> = {},
    PATH: string | undefined = process.env.PATH,
    lookup?: RepositoryOptions['rules']['lookup'],
  ) =>
    openCache(join(root, 'repositories'), {
      rules: { allowLoopback: true, allowedHosts: [], lookup },
      ssh: {
        usesWorkerKeys: false,
        knownHostsFile: null,
        knownHostsFolder: join(root, 'known hosts'),
        ...change,
      },
      inherited: { PATH, HOME: join(root, 'nobody') },
      confinements: PATH === process.env.PATH ? CONFINEMENTS : UNCONFINED,
    });
  const ask = (url: string, change: Partial<RepositoryRequest> = {}): RepositoryRequest => {
    const ids = { companyId: randomUUID(), projectId: randomUUID() };
    return {
      ...ids,
      agent: { id: randomUUID(), name: 'Ada' },
      url,
      ref: null,
      credential: null,
      ...change,
    };
  };
  const prepare = async (cache: ReturnType<typeof build>, request: RepositoryRequest) => {
    const said: string[] = [];
    const { signal } = new AbortController();
    const answer = await cache.prepare(request, {
      signal,
      onStarted: async () => undefined,
      logLine: (line) => said.push(line),
    });
    return { ...answer, said: said.join('') };
  };
  const refused = (errorCode: string, error?: string) => ({
    refusal: {
      status: 'failed',
      errorCode,
      transient: false,
      ...(error && { error: expect.stringContaining(error) }),
    },
  });
  const makeRepository = () => {
    git(root, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
    const work = join(root, 'work');
    mkdirSync(work);
    git(work, 'init', '--quiet', '--initial-branch=main');
    writeFileSync(join(work, 'README.md'), 'behind ssh\n');
    git(work, 'add', '--all');
    git(work, 'commit', '--quiet', '--message', 'first');
    git(work, 'push', '--quiet', bare, 'HEAD:main');
  };
  const filesBelow = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));

  it('in authenticated mode, rejects an address without a credential or with an unusable key', async () => {
    const cache = build({}, '/nonexistent');
    const url = 'ssh://git@127.0.0.1/yard.git';
    const code = 'repository_credential';
    expect(await prepare(cache, ask(url))).toMatchObject(refused(code, 'needs a repoCredential'));
    expect(await prepare(cache, ask('git@127.0.0.1:yard'))).toMatchObject(refused(code));
    for (const credential of ['a-token', 'user:token', '-----BEGIN PRIVATE KEY-----']) {
      const request = ask(url, { credential });
      expect(await prepare(cache, request)).toMatchObject(refused(code, 'must be a private key'));
    }
    const locked = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    for (const type of ['pkcs8', 'pkcs1'] as const) {
      const cipher = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
      const credential = locked.export({ type, ...cipher }).toString();
      const request = ask(url, { credential });
      expect(await prepare(cache, request)).toMatchObject(refused(code, 'has a passphrase'));
    }
    expect(readdirSync(root)).toEqual([]);
  });

  it('does not send a private key to an https host', async () => {
    const request = ask('https://127.0.0.1:1/yard', { credential: pem() });
    const cache = build({}, '/nonexistent');
    expect(await prepare(cache, request)).toMatchObject(
      refused('repository_credential', 'only valid for ssh addresses'),
    );
  });

  sayWhetherTried('git', withGit);

  if (!withGit) return;

  const recording = () => {
    const bin = join(root, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'ssh'), RECORDING_SSH.replace('RECORD', JSON.stringify(record)), {
      mode: 0o755,
    });
    return `${bin}:${process.env.PATH}`;
  };
  const recorded = (): Recorded[] =>
    readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Recorded);

  it('connects only with the company’s key, and deletes the key’s file when git ends', async () => {
    makeRepository();
    const cache = build({}, recording());
    const credential = pem();
    const body = credential.split('\n')[1] as string;
    const request = ask(`ssh://git@127.0.0.1${bare}`, { credential });
    const { path, said } = (await prepare(cache, request)) as { path: string; said: string };
    expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('behind ssh\n');
    const started = recorded();
    expect(started).toHaveLength(2);
    const known = join(root, 'known hosts', request.companyId);
    for (const { args, key, env } of started) {
      expect(args.slice(0, 2)).toEqual(['-F', 'none']);
      for (const option of [
        'IdentitiesOnly=yes',
        'IdentityAgent=none',
        'BatchMode=yes',
        'StrictHostKeyChecking=accept-new',
        `UserKnownHostsFile="${known}"`,
        'GlobalKnownHostsFile=/dev/null',
      ]) {
        expect(args[args.indexOf(option) - 1]).toBe('-o');
      }
      expect(key).toMatchObject({ text: credential, mode: 0o600, folderMode: 0o700 });
      expect(existsSync(key?.file as string)).toBe(false);
      expect(`${args.join('\n')}\n${Object.values(env).join('\n')}`).not.toContain(body);
      expect(env.SSH_AUTH_SOCK).toBeUndefined();
    }
    expect(new Set(started.map(({ key }) => key?.file)).size).toBe(2);
    expect(said).not.toContain(body);
    rmSync(record);
    expect(filesBelow(root).filter((text) => text.includes(body))).toEqual([]);
  });

  it('adds a missing final newline to the key, and converts CRLF to LF', async () => {
    makeRepository();
    const cache = build({}, recording());
    const credential = pem();
    for (const pasted of [credential.trim(), `\n${credential.replaceAll('\n', '\r\n')}`]) {
      await prepare(cache, ask(`ssh://git@127.0.0.1${bare}`, { credential: pasted }));
    }
    expect(new Set(recorded().map(({ key }) => key?.text))).toEqual(new Set([credential]));
  });

  it('connects to the checked address, and verifies the key of the host’s name', async () => {
    makeRepository();
    const lookup = ((_host: string, _options: object, done: (e: null, all: object[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }])) as never;
    const file = join(root, 'operator hosts');
    const cache = build({ knownHostsFile: file }, recording(), lookup);
    const credential = pem();
    await prepare(cache, ask(`ssh://git@git.acme.test:2222${bare}`, { credential }));
    await prepare(cache, ask(`git@git.acme.test:${bare}`, { credential }));
    const [first, , third] = recorded();
    expect(first?.args).toEqual(
      expect.arrayContaining([
        'HostName=127.0.0.1',
        'HostKeyAlias=[git.acme.test]:2222',
        'StrictHostKeyChecking=yes',
        `UserKnownHostsFile="${file}"`,
      ]),
    );
    expect(third?.args).toContain('HostKeyAlias=git.acme.test');
    expect(existsSync(join(root, 'known hosts'))).toBe(false);
  });

  it('deletes the key if git fails, and keys of workers that were killed a day ago', async () => {
    const [old, young] = ['old', 'young'].map(() => mkdtempSync(join(tmpdir(), 'switchyard-key-')));
    writeFileSync(join(old as string, 'key'), 'x');
    const longAgo = new Date(Date.now() - 90_000_000);
    utimesSync(old as string, longAgo, longAgo);
    const cache = build({}, recording());
    const request = ask('ssh://git@127.0.0.1/nowhere.git', { credential: pem() });
    expect(await prepare(cache, request)).toMatchObject(refused('repository_not_found'));
    expect(existsSync(dirname(recorded()[0]?.key?.file as string))).toBe(false);
    expect([old, young].map((folder) => existsSync(folder as string))).toEqual([false, true]);
    rmSync(young as string, { recursive: true });
  });

  it('uses the keys of the worker’s user only in local mode, and only if no credential is set', async () => {
    makeRepository();
    const PATH = recording();
    const request = ask(`ssh://git@127.0.0.1${bare}`);
    expect(await prepare(build({ usesWorkerKeys: true }, PATH), request)).toHaveProperty('path');
    for (const { args, key } of recorded()) {
      expect(key).toBeUndefined();
      expect(args.slice(0, -1).join(' ')).not.toMatch(/-F|Identit|KnownHosts/);
    }
    rmSync(record);
    const own = { ...request, credential: pem() };
    expect(await prepare(build({ usesWorkerKeys: true }, PATH), own)).toHaveProperty('path');
    expect(recorded().every(({ key }) => key?.text === own.credential)).toBe(true);
    rmSync(record);
    const without = await prepare(build({}, PATH), request);
    expect(without).toMatchObject(refused('repository_credential'));
    expect(existsSync(record)).toBe(false);
  });

  const withServer = hasSshServer();

  sayWhetherTried('openssh-server', withServer);

  if (!withServer) return;

  describe('with sshd on loopback', () => {
    let servers: { close(): Promise<void> }[] = [];
    const serve = async (letIn: string[], name?: string) => {
      const server = await startSshServer(root, letIn, name);
      servers.push(server);
      return server;
    };
    afterEach(async () => {
      for (const server of servers) await server.close();
      servers = [];
    });

    it('clones for two agents of the company whose key is accepted, and for no other company', async () => {
      makeRepository();
      const [acme, evil] = [makeKey(root, 'acme'), makeKey(root, 'evil')];
      const server = await serve([acme.publicKey]);
      const cache = build();
      const first = ask(server.url(bare), { credential: acme.privateKey });
      const second = {
        ...first,
        projectId: randomUUID(),
        agent: { id: randomUUID(), name: 'Bob' },
      };
      const answers = await Promise.all([prepare(cache, first), prepare(cache, second)]);
      for (const answer of answers) {
        expect(answer).toHaveProperty('path');
        const { path } = answer as unknown as { path: string };
        expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('behind ssh\n');
      }
      const foreign = ask(server.url(bare), { credential: evil.privateKey });
      expect(await prepare(cache, foreign)).toMatchObject(refused('repository_auth'));
      expect(readdirSync(join(root, 'known hosts')).sort()).toEqual(
        [first.companyId, foreign.companyId].sort(),
      );
    });

    it('fails temporarily if no server listens', async () => {
      const credential = makeKey(root, 'acme').privateKey;
      expect(await prepare(build(), ask('ssh://git@127.0.0.1:1/x', { credential }))).toMatchObject({
        refusal: { errorCode: 'repository_unreachable', transient: true },
      });
    });

    it('rejects a key with a passphrase', async () => {
      const credential = makeKey(root, 'locked', 'a passphrase').privateKey;
      const request = ask('ssh://git@127.0.0.1/x', { credential });
      expect(await prepare(build(), request)).toMatchObject(
        refused('repository_credential', 'has a passphrase'),
      );
    });

    it('stores the first host key per company, and rejects another host key later', async () => {
      makeRepository();
      const key = makeKey(root, 'acme');
      const before = await serve([key.publicKey], 'before');
      const request = ask(before.url(bare), { credential: key.privateKey });
      const cache = build();
      expect(await prepare(cache, request)).toHaveProperty('path');
      const known = join(root, 'known hosts', request.companyId);
      expect(readFileSync(known, 'utf8').trim()).toBe(before.knownHost.replace(/ before$/, ''));
      const after = await serve([key.publicKey], 'after');
      const changed = readFileSync(known, 'utf8').replace(`:${before.port}`, `:${after.port}`);
      writeFileSync(known, changed);
      const moved = { ...request, url: after.url(bare) };
      expect(await prepare(cache, moved)).toMatchObject(refused('repository_host_key'));
      expect(readFileSync(known, 'utf8')).toBe(changed);
    });

    it('trusts only the host keys in the operator’s file, if a file is set', async () => {
      makeRepository();
      const key = makeKey(root, 'acme');
      const server = await serve([key.publicKey]);
      const knownHostsFile = join(root, 'operator hosts');
      const cache = build({ knownHostsFile });
      const request = ask(server.url(bare), { credential: key.privateKey });
      expect(await prepare(cache, request)).toMatchObject(refused('repository_host_key'));
      writeFileSync(knownHostsFile, `${server.knownHost}\n`);
      expect(await prepare(cache, request)).toHaveProperty('path');
      expect(readFileSync(knownHostsFile, 'utf8')).toBe(`${server.knownHost}\n`);
    });

    it('connects to the checked address of a name that ssh cannot resolve', async () => {
      makeRepository();
      const key = makeKey(root, 'acme');
      const server = await serve([key.publicKey]);
      const lookup = ((_host: string, _options: object, done: (e: null, all: object[]) => void) =>
        done(null, [{ address: '127.0.0.1', family: 4 }])) as never;
      const knownHostsFile = join(root, 'operator hosts');
      const named = server.knownHost.replace('127.0.0.1', 'git.acme.test');
      writeFileSync(knownHostsFile, `${named}\n`);
      const cache = build({ knownHostsFile }, process.env.PATH, lookup);
      const url = server.url(bare, 'git.acme.test');
      expect(await prepare(cache, ask(url, { credential: key.privateKey }))).toHaveProperty('path');
    });
  });
});
