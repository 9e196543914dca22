import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, hasGit, sayWhetherTried, startGitServer } from '../../test/git-server';
import { openCache } from '../../test/repository-caches';
import { repositoryFolder } from './mirrors/repository-folder';
import type { RepositoryRequest } from './repository-cache';

const withGit = hasGit();

sayWhetherTried('git', withGit);

const KILLED = `#!/bin/sh
case "$*" in
  *checkout*--detach*)
    touch "$2/index.lock"; echo new > "$4/new.txt"; kill -9 $$ ;;
esac
exec "$REAL_GIT" "$@"
`;

if (withGit) {
  describe('RepositoryCache after an interruption', () => {
    let server: Awaited<ReturnType<typeof startGitServer>>;
    let root: string;
    beforeAll(async () => {
      server = await startGitServer();
    });
    afterAll(() => server.close());
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'recovery-'));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    const cacheWith = (PATH = process.env.PATH) =>
      openCache(root, {
        caFile: server.caFile,
        inherited: { PATH, HOME: process.env.HOME },
      });
    const ask = (name: string, ref: string | null = null): RepositoryRequest => {
      const agent = { id: randomUUID(), name: 'Ada' };
      const ids = { companyId: randomUUID(), projectId: randomUUID() };
      return { ...ids, agent, url: server.url(name), ref, credential: null };
    };
    const prepare = async (request: RepositoryRequest, PATH?: string) => {
      const said: string[] = [];
      const { signal } = new AbortController();
      const logLine = (line: string) => said.push(line);
      const answer = await cacheWith(PATH).prepare(request, {
        signal,
        onStarted: async () => undefined,
        logLine,
      });
      return { path: '', ...answer, said: said.join('') };
    };
    const folderOf = ({ projectId, agent, url }: RepositoryRequest) =>
      repositoryFolder(root, { projectId, agentId: agent.id, url });

    it('completes an interrupted checkout, and does not count its files as the agent’s work', async () => {
      server.create('killed', { 'a.txt': 'a\n', '.gitignore': 'cache\n' });
      const request = ask('killed');
      const { path } = await prepare(request);
      writeFileSync(join(path, 'cache'), 'dear');
      server.commit('killed', { 'a.txt': 'b\n', 'new.txt': 'new\n' });
      const bin = join(root, 'bin');
      mkdirSync(bin);
      const real = git(root, '--exec-path');
      writeFileSync(join(bin, 'git'), KILLED.replace('$REAL_GIT', join(real, 'git')), {
        mode: 0o755,
      });
      const killed = await prepare(request, `${bin}:${process.env.PATH}`);
      expect(killed).toMatchObject({ refusal: { errorCode: 'adapter_signal' } });
      git(server.work('killed'), 'rm', '--quiet', 'new.txt');
      const third = server.commit('killed', { 'a.txt': 'c\n' });
      const { said } = await prepare(request);
      expect(said).toContain('moved to it');
      expect(git(path, 'rev-parse', 'HEAD')).toBe(third);
      expect(git(path, 'status', '--porcelain')).toBe('');
      expect(existsSync(join(path, 'new.txt'))).toBe(false);
      expect(readFileSync(join(path, 'cache'), 'utf8')).toBe('dear');
    });

    it('updates the worktree despite an old lock of the agent’s git, but not despite a recent lock', async () => {
      server.create('locked');
      const request = ask('locked');
      const { path } = await prepare(request);
      const second = server.commit('locked', { 'README.md': 'second\n' });
      const lock = join(folderOf(request).worktreeData, 'index.lock');
      writeFileSync(lock, '');
      expect((await prepare(request)).said).toContain('not changed: git could not move it');
      const longAgo = new Date(Date.now() - 3_600_000);
      await utimes(lock, longAgo, longAgo);
      expect((await prepare(request)).said).toContain('moved to it');
      expect(git(path, 'rev-parse', 'HEAD')).toBe(second);
    });

    it('completes a cache whose creation was interrupted', async () => {
      server.create('begun');
      const request = ask('begun');
      mkdirSync(join(folderOf(request).mirror, 'refs'), { recursive: true });
      const { path } = await prepare(request);
      expect(existsSync(join(path, 'README.md'))).toBe(true);
    });

    it('fetches the branch a after a/b was deleted, and a/b after a was deleted', async () => {
      server.create('renamed');
      const work = server.work('renamed');
      const push = (...args: string[]) => git(work, 'push', '--quiet', 'origin', ...args);
      push('HEAD:refs/heads/release');
      const request = ask('renamed', 'release');
      const { path } = await prepare(request);
      push(':refs/heads/release', 'HEAD:refs/heads/release/one/two');
      const inner = await prepare({ ...request, ref: 'release/one/two' });
      expect(inner).toMatchObject({ path });
      push(':refs/heads/release/one/two', 'HEAD:refs/heads/release');
      const second = server.commit('renamed', { 'README.md': 'second\n' });
      push('HEAD:refs/heads/release');
      expect(await prepare(request)).toMatchObject({ path });
      expect(git(path, 'rev-parse', 'HEAD')).toBe(second);
    });
  });
}
