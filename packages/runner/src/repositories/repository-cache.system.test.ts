import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { git, hasGit, sayWhetherTried, startGitServer } from '../../test/git-server';
import { preparation, requestFor, useRepositories } from '../../test/repository-caches';
import { repositoryFolder } from './mirrors/repository-folder';
import type { RepositoryOptions } from './repository-cache';

const TOKEN = 'canary-token-of-a-repository';

const repositories = useRepositories();

const withGit = hasGit();

sayWhetherTried('git', withGit);

if (withGit) {
  describe('RepositoryCache with git and a local https server', () => {
    let server: Awaited<ReturnType<typeof startGitServer>>;
    beforeAll(async () => {
      server = await startGitServer();
    });
    afterAll(() => server.close());
    beforeEach(() => {
      server.seen.length = 0;
      server.control.intercept = () => false;
    });

    const open = (change: Partial<RepositoryOptions> = {}) =>
      repositories.open(change, server.caFile);
    const pathOf = (answer: object): string => {
      const readOnly = [expect.stringMatching(/mirror\.git\/objects$/)];
      expect(answer).toEqual({ path: expect.any(String), readOnly });
      return (answer as { path: string }).path;
    };
    const fetches = () =>
      server.seen.filter(({ path }) => path.endsWith('/git-upload-pack')).length;

    it('clones for the first agent, and serves the second agent of the project from the cache', async () => {
      const first = server.create('cloned');
      const cache = open();
      const said: string[] = [];
      const request = requestFor(server.url('cloned'));
      const one = pathOf(await cache.prepare(request, preparation(said)));
      expect(readFileSync(join(one, 'README.md'), 'utf8')).toBe('cloned\n');
      expect(git(one, 'rev-parse', 'HEAD')).toBe(first);
      expect(git(one, 'remote', 'get-url', 'origin')).toBe(server.url('cloned'));
      const before = fetches();
      const other = { ...request, agent: { id: randomUUID(), name: 'Bob' } };
      const two = pathOf(await cache.prepare(other, preparation(said)));
      expect(two).not.toBe(one);
      expect(git(two, 'rev-parse', 'HEAD')).toBe(first);
      expect(fetches() - before).toBe(1);
      expect(said.join('')).toMatch(
        /main is \w{12}, fetched.*was created\n.*from the cache.*was created\n/,
      );
      writeFileSync(join(two, 'x'), '');
      git(two, 'add', 'x');
      execAs(two, 'commit', '--quiet', '-m', 'x');
      expect(git(two, 'log', '-1', '--format=%an <%ae>')).toBe(
        `Bob <${other.agent.id}@agents.invalid>`,
      );
      expect(existsSync(join(one, 'x'))).toBe(false);
    });

    function execAs(folder: string, ...args: string[]) {
      const keys = [
        'GIT_AUTHOR_NAME',
        'GIT_AUTHOR_EMAIL',
        'GIT_COMMITTER_NAME',
        'GIT_COMMITTER_EMAIL',
      ];
      const env = Object.fromEntries(
        Object.entries({ ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' }).filter(
          ([name]) => !keys.includes(name),
        ),
      );
      execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' });
    }

    it('updates the worktree to the branch, unless the worktree contains work of the agent', async () => {
      server.create('moving');
      const cache = open();
      const request = requestFor(server.url('moving'), { ref: 'main' });
      const said: string[] = [];
      const again = async () => pathOf(await cache.prepare(request, preparation(said)));
      const path = await again();
      const second = server.commit('moving', { 'README.md': 'second\n' });
      expect(await again()).toBe(path);
      expect(git(path, 'rev-parse', 'HEAD')).toBe(second);
      writeFileSync(join(path, 'draft.txt'), 'not committed');
      writeFileSync(join(path, 'README.md'), 'changed');
      server.commit('moving', { 'README.md': 'third\n' });
      await again();
      expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('changed');
      expect(readFileSync(join(path, 'draft.txt'), 'utf8')).toBe('not committed');
      expect(said.at(-1)).toContain('not changed: it has uncommitted changes');
      git(path, 'checkout', '--quiet', '-b', 'mine');
      git(path, 'add', '--all');
      git(path, 'commit', '--quiet', '-m', 'mine');
      const mine = git(path, 'rev-parse', 'HEAD');
      await again();
      expect(git(path, 'rev-parse', 'HEAD')).toBe(mine);
      expect(said.at(-1)).toContain('not changed: it is on the branch mine');
      git(path, 'checkout', '--quiet', '--detach');
      await again();
      expect(said.at(-1)).toContain('not changed: it has its own commits');
      expect(git(path, 'rev-parse', 'HEAD')).toBe(mine);
    });

    it('resolves tags and commits, and rejects an unknown reference', async () => {
      const first = server.create('named');
      git(server.work('named'), 'tag', '-a', 'v1', '-m', 'v1');
      git(server.work('named'), 'push', '--quiet', 'origin', 'v1');
      const second = server.commit('named', { 'README.md': 'second\n' });
      const cache = open();
      const at = async (ref: string) => {
        const path = pathOf(
          await cache.prepare(requestFor(server.url('named'), { ref }), preparation()),
        );
        return git(path, 'rev-parse', 'HEAD');
      };
      expect(await at('v1')).toBe(first);
      expect(await at('refs/tags/v1')).toBe(first);
      expect(await at('main')).toBe(second);
      expect(await at(first)).toBe(first);
      for (const ref of ['nowhere', 'refs/heads/nowhere', 'f'.repeat(40)]) {
        const answer = await cache.prepare(requestFor(server.url('named'), { ref }), preparation());
        expect(answer).toMatchObject({
          refusal: { errorCode: 'repository_ref_unknown', transient: false },
        });
      }
    });

    it('fetches the configured depth of history, or all history for 0', async () => {
      server.create('deep');
      for (const n of [1, 2, 3]) server.commit('deep', { 'README.md': `${n}\n` });
      const commits = async (depth: number) => {
        const settings = { caFile: server.caFile, depth, timeoutMs: 60_000, maxBytes: 2 ** 30 };
        const path = pathOf(
          await open({ settings }).prepare(requestFor(server.url('deep')), preparation()),
        );
        return git(path, 'rev-list', '--count', 'HEAD');
      };
      expect(await commits(2)).toBe('2');
      expect(await commits(0)).toBe('4');
      const request = requestFor(server.url('deep'));
      const fetched = async (depth: number) => {
        const settings = { caFile: server.caFile, depth, timeoutMs: 60_000, maxBytes: 2 ** 30 };
        const path = pathOf(await open({ settings }).prepare(request, preparation()));
        return git(path, 'rev-list', '--count', 'HEAD');
      };
      expect(await fetched(2)).toBe('2');
      server.commit('deep', { 'README.md': '4\n' });
      expect(await fetched(100)).toBe('5');
      server.commit('deep', { 'README.md': '5\n' });
      expect(await fetched(2)).toBe('2');
    });

    it('sends the credential only to its host, and stores it nowhere', async () => {
      server.create('closed');
      const expected = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
      server.control.intercept = (request, response) => {
        if (request.headers.authorization === expected) return false;
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
        return true;
      };
      const cache = open();
      for (const credential of [null, 'a wrong one']) {
        const refused = requestFor(server.url('closed'), { credential });
        expect(await cache.prepare(refused, preparation())).toMatchObject({
          refusal: { errorCode: 'repository_auth', transient: false },
        });
      }
      const said: string[] = [];
      const opened = requestFor(server.url('closed'), { credential: TOKEN });
      const path = pathOf(await cache.prepare(opened, preparation(said)));
      expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('closed\n');
      const everywhere = [said.join('')];
      for (const entry of await readdir(repositories.root, {
        recursive: true,
        withFileTypes: true,
      })) {
        if (entry.isFile())
          everywhere.push(readFileSync(join(entry.parentPath, entry.name), 'latin1'));
      }
      expect(everywhere.length).toBeGreaterThan(10);
      for (const secret of [TOKEN, expected.slice(6)]) {
        expect(everywhere.some((text) => text.includes(secret))).toBe(false);
      }
    });

    it('resets the shared configuration before it uses a credential', async () => {
      server.create('planted');
      const cache = open();
      const request = requestFor(server.url('planted'), { credential: TOKEN });
      const path = pathOf(await cache.prepare(request, preparation()));
      const file = join(repositories.root, 'planted-ran');
      const hook = join(repositories.root, 'hook.sh');
      writeFileSync(hook, `#!/bin/sh\ntouch ${file}\n`, { mode: 0o755 });
      for (const [key, value] of [
        [`url.https://localhost:${server.port}/elsewhere/.insteadOf`, server.url('planted')],
        ['core.sshCommand', hook],
        ['core.fsmonitor', hook],
        ['core.gitProxy', hook],
        ['credential.helper', hook],
      ] as const) {
        git(path, 'config', key, value);
      }
      git(path, 'config', '--worktree', 'core.fsmonitor', hook);
      const { projectId, agent, url } = request;
      const { mirror } = repositoryFolder(repositories.root, { projectId, agentId: agent.id, url });
      const own = join(path, '.git', 'hooks');
      const hooks = join(mirror, 'hooks');
      for (const folder of [own, hooks]) {
        mkdirSync(folder, { recursive: true });
        for (const name of ['post-checkout', 'reference-transaction', 'post-merge']) {
          writeFileSync(join(folder, name), `#!/bin/sh\ntouch ${file}\n`, { mode: 0o755 });
        }
      }
      server.seen.length = 0;
      const next = server.commit('planted', { 'README.md': 'next\n' });
      await cache.prepare(request, preparation());
      expect(existsSync(file)).toBe(false);
      expect(server.seen.filter(({ path: requested }) => requested.includes('elsewhere'))).toEqual(
        [],
      );
      expect(existsSync(hooks)).toBe(false);
      expect(git(path, 'rev-parse', 'HEAD')).toBe(next);
    });

    it('uses credentials from the operator’s HOME only in local mode', async () => {
      server.create('netrc');
      writeFileSync(
        join(repositories.root, '.netrc'),
        'machine localhost login ann password canary\n',
      );
      server.control.intercept = (request, response) => {
        if (request.headers.authorization) return false;
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
        return true;
      };
      const inherited = { PATH: process.env.PATH, HOME: repositories.root };
      const closed = open({ inherited, isolated: true, root: join(repositories.root, 'closed') });
      expect(await closed.prepare(requestFor(server.url('netrc')), preparation())).toMatchObject({
        refusal: { errorCode: 'repository_auth' },
      });
      expect(server.seen.filter(({ authorization }) => authorization)).toEqual([]);
      const local = open({ inherited, root: join(repositories.root, 'local') });
      pathOf(await local.prepare(requestFor(server.url('netrc')), preparation()));
    });

    it('does not follow redirects', async () => {
      server.create('target');
      server.control.intercept = (request, response) => {
        if (!request.url?.startsWith('/old.git')) return false;
        response.writeHead(301, { location: server.url('target') + request.url.slice(8) }).end();
        return true;
      };
      expect(await open().prepare(requestFor(server.url('old')), preparation())).toMatchObject({
        refusal: { errorCode: 'repository_redirected', transient: false },
      });
    });

    it('classifies the host’s response as a temporary or permanent failure', async () => {
      const answer = async (status: number) => {
        server.control.intercept = (_request, response) => {
          response.writeHead(status).end();
          return true;
        };
        const { refusal } = (await open().prepare(requestFor(server.url('x')), preparation())) as {
          refusal: { errorCode: string; transient: boolean };
        };
        return [refusal.errorCode, refusal.transient];
      };
      expect(await answer(404)).toEqual(['repository_not_found', false]);
      expect(await answer(403)).toEqual(['repository_auth', false]);
      expect(await answer(429)).toEqual(['repository_unreachable', true]);
      expect(await answer(503)).toEqual(['repository_unreachable', true]);
      const closed = await open().prepare(requestFor('https://localhost:1/x'), preparation());
      expect(closed).toMatchObject({
        refusal: { errorCode: 'repository_unreachable', transient: true },
      });
      server.control.intercept = () => false;
      const stranger = await repositories
        .open()
        .prepare(requestFor(server.url('x')), preparation());
      expect(stranger).toMatchObject({
        refusal: { errorCode: 'repository_tls', transient: false },
      });
    });

    it('stops after the timeout, an abort or too many bytes, and ends all its processes', async () => {
      server.create('slow');
      const cache = open();
      const good = requestFor(server.url('slow'));
      const path = pathOf(await cache.prepare(good, preparation()));
      const requested = new Promise<void>((resolve) => {
        server.control.intercept = () => {
          resolve();
          return true;
        };
      });
      const settings = { caFile: server.caFile, depth: 1, timeoutMs: 300, maxBytes: 2 ** 30 };
      expect(await open({ settings }).prepare(good, preparation())).toMatchObject({
        refusal: { status: 'failed', errorCode: 'repository_timeout', transient: true },
      });
      const aborting = new AbortController();
      const waiting = cache.prepare(good, preparation([], aborting.signal));
      await requested;
      aborting.abort();
      expect(await waiting).toEqual({ refusal: { status: 'aborted', exitCode: null } });
      server.control.intercept = () => false;
      server.commit('slow', { 'big.bin': 'x'.repeat(10) });
      const tiny = open({ settings: { ...settings, timeoutMs: 60_000, maxBytes: 100 } });
      expect(await tiny.prepare(good, preparation())).toMatchObject({
        refusal: { errorCode: 'repository_too_large', transient: false },
      });
      expect(pathOf(await cache.prepare(good, preparation()))).toBe(path);
      expect(existsSync(join(path, 'big.bin'))).toBe(true);
    });
  });
}
