import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Driver } from '@switchyard/sandbox';
import { confinementsBy } from '../../test/confinements';
import { git, hasGit, sayWhetherTried, startGitServer } from '../../test/git-server';
import { openCache } from '../../test/repository-caches';
import { repositoryFolder } from './mirrors/repository-folder';
import type { RepositoryRequest } from './repository-cache';

const withGit = hasGit();

sayWhetherTried('git', withGit);

const DRIVERS: Driver[] = process.platform === 'linux' ? ['bwrap', 'landlock', 'off'] : ['off'];

if (withGit) {
  describe.each(DRIVERS)('the repository of an agent with the sandbox %s', (driver) => {
    let server: Awaited<ReturnType<typeof startGitServer>>;
    let root: string;
    beforeAll(async () => {
      server = await startGitServer();
    });
    afterAll(() => server.close());
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'own-'));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    const begin = (name: string, depth = 0) => {
      const [companyId, projectId] = [randomUUID(), randomUUID()];
      const url = server.url(name);
      const cache = openCache(root, {
        ...{ caFile: server.caFile, depth },
        isolated: true,
        confinements: confinementsBy(driver),
      });
      return (title: string) => {
        const agent = { id: randomUUID(), name: title };
        const request: RepositoryRequest = {
          ...{ companyId, projectId, agent, url },
          ref: null,
          credential: null,
        };
        const { signal } = new AbortController();
        const prepare = async () => {
          let said = '';
          const preparation = { signal, onStarted: async () => undefined };
          const done = await cache.prepare(request, {
            ...preparation,
            logLine: (line) => (said = line),
          });
          expect(done).toMatchObject({ path: expect.any(String) });
          return said;
        };
        return { prepare, ...repositoryFolder(root, { projectId, agentId: agent.id, url }) };
      };
    };
    const objectsOf = (folder: string) =>
      readdirSync(join(folder, 'objects'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        /^..\/[0-9a-f]{38}$|\.pack$/.test(name),
      );

    it('uses the objects of the mirror, and stores new objects only for the agent', async () => {
      server.create('own');
      const agentOf = begin('own');
      const [ada, bob] = [agentOf('Ada'), agentOf('Bob')];
      await ada.prepare();
      await bob.prepare();
      expect(objectsOf(ada.worktreeData)).toEqual([]);
      const before = objectsOf(ada.mirror);
      git(ada.worktree, 'checkout', '--quiet', '-b', 'of-ada');
      writeFileSync(join(ada.worktree, 'new.txt'), 'new\n');
      git(ada.worktree, 'add', '--all');
      git(ada.worktree, 'commit', '--quiet', '-m', 'new');
      expect(objectsOf(ada.worktreeData)).toHaveLength(3);
      expect(objectsOf(ada.mirror)).toEqual(before);
      expect(git(bob.worktree, 'branch', '--list', 'of-ada')).toBe('');
      git(ada.worktree, 'gc', '--quiet', '--prune=now');
      expect(objectsOf(ada.mirror)).toEqual(before);
      for (const { worktree } of [ada, bob]) {
        expect(git(worktree, 'fsck', '--connectivity-only', '--no-dangling')).toBe('');
      }
      expect(await ada.prepare()).toContain('not changed: it is on the branch of-ada');
    });

    it('updates origin’s branch even if the working directory has uncommitted work', async () => {
      server.create('followed');
      const ada = begin('followed')('Ada');
      await ada.prepare();
      git(ada.worktree, 'checkout', '--quiet', '-b', 'mine');
      const next = server.commit('followed', { 'README.md': 'next\n' });
      await ada.prepare();
      expect(git(ada.worktree, 'rev-parse', 'origin/main')).toBe(next);
    });

    it('remains complete with a shallow mirror and a shallow fetch by the agent', async () => {
      server.create('shallow');
      for (const text of ['2', '3', '4']) server.commit('shallow', { 'README.md': `${text}\n` });
      const work = server.work('shallow');
      git(work, 'push', '--quiet', 'origin', 'HEAD~2:refs/heads/older');
      const ada = begin('shallow', 1)('Ada');
      await ada.prepare();
      expect(git(ada.worktree, 'rev-list', '--count', 'HEAD')).toBe('1');
      const remote = join(work, '..', 'shallow.git');
      git(ada.worktree, 'fetch', '--quiet', '--depth=1', `file://${remote}`, 'older:older');
      server.commit('shallow', { 'README.md': '5\n' });
      await ada.prepare();
      expect(git(ada.worktree, 'rev-list', '--count', 'older')).toBe('1');
      expect(git(ada.worktree, 'rev-list', '--count', 'HEAD')).toBe('1');
      expect(git(ada.worktree, 'fsck', '--connectivity-only', '--no-dangling')).toBe('');
      expect(
        readFileSync(join(ada.worktreeData, 'shallow'), 'utf8').trim().split('\n'),
      ).toHaveLength(3);
      expect(existsSync(join(ada.worktreeData, 'shallow.part'))).toBe(false);
    });
  });
}
