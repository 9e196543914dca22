import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newId } from '@switchyard/db';
import { git, hasGit, sayWhetherTried, startGitServer } from '../../../test/git-server';
import { openCache } from '../../../test/repository-caches';
import { type RepositoryFolder, repositoryFolder } from './mirrors/repository-folder';
import type { RepositoryRequest } from './repository-cache';

const withGit = hasGit();

sayWhetherTried('git', withGit);

/** As releases made it whose worktrees had their git directories in the mirror. */
function makeFormer(url: string, name: string, folder: RepositoryFolder, depth: number): string {
  const { mirror, formerData, worktree, placed } = folder;
  const shared = `[core]
\trepositoryformatversion = 0
\tfilemode = true
[extensions]
\tworktreeConfig = true
[remote "origin"]
\turl = ${url}
\tfetch = +refs/heads/*:refs/remotes/origin/*
`;
  if (!existsSync(mirror)) {
    mkdirSync(mirror, { recursive: true });
    git(mirror, 'init', '--quiet', '--bare', '--initial-branch=main');
    const fetch = ['fetch', '--quiet', '--no-tags', ...(depth > 0 ? [`--depth=${depth}`] : [])];
    git(mirror, ...fetch, name, '+refs/heads/main:refs/remotes/origin/main');
    writeFileSync(join(mirror, 'config'), shared);
    writeFileSync(join(mirror, 'config.worktree'), '[core]\n\tbare = true\n');
  }
  const commit = git(mirror, 'rev-parse', 'refs/remotes/origin/main');
  for (const path of [worktree, formerData]) mkdirSync(path, { recursive: true });
  writeFileSync(join(worktree, '.git'), `gitdir: ${formerData}\n`);
  writeFileSync(join(formerData, 'gitdir'), `${join(worktree, '.git')}\n`);
  writeFileSync(join(formerData, 'commondir'), '../..\n');
  writeFileSync(join(formerData, 'HEAD'), `${commit}\n`);
  writeFileSync(
    join(formerData, 'config.worktree'),
    '[user]\n\tname = Ada\n\temail = ada@agents.invalid\n',
  );
  git(worktree, 'checkout', '--quiet', '--force', '--detach', commit);
  mkdirSync(dirname(placed), { recursive: true });
  writeFileSync(placed, commit);
  return commit;
}

if (withGit) {
  describe('a worktree of a release whose agents shared the mirror', () => {
    let server: Awaited<ReturnType<typeof startGitServer>>;
    let root: string;
    beforeAll(async () => {
      server = await startGitServer();
    });
    afterAll(() => server.close());
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'former-'));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    const begin = (name: string, depth = 0) => {
      const projectId = newId();
      const companyId = newId();
      const url = server.url(name);
      const cache = openCache(root, { caFile: server.caFile, depth, isolated: true });
      const agentOf = (title: string) => {
        const agent = { id: newId(), name: title };
        const request: RepositoryRequest = {
          ...{ companyId, projectId, agent, url },
          ref: null,
          credential: null,
        };
        const folder = repositoryFolder(root, { projectId, agentId: agent.id, url });
        const commit = makeFormer(url, join(server.work(name), '.git'), folder, depth);
        const said: string[] = [];
        const prepare = async () => {
          const { signal } = new AbortController();
          const say = (line: string) => said.push(line);
          const done = await cache.prepare(request, {
            signal,
            onStarted: async () => undefined,
            say,
          });
          expect(done).toMatchObject({ path: folder.worktree });
          return said.at(-1) ?? '';
        };
        return { folder, commit, prepare };
      };
      return { agentOf };
    };
    const isWhole = (worktree: string) => {
      expect(git(worktree, 'rev-parse', '--absolute-git-dir')).toBe(join(worktree, '.git'));
      expect(git(worktree, 'fsck', '--connectivity-only', '--no-dangling')).toBe('');
    };

    it('keeps commits, branches, stashes and what is not committed', async () => {
      server.create('kept');
      const { agentOf } = begin('kept');
      const { folder, prepare } = agentOf('Ada');
      const { worktree } = folder;
      const commit = (text: string) => {
        writeFileSync(join(worktree, 'README.md'), text);
        git(worktree, 'commit', '--quiet', '--all', '-m', text.trim());
        return git(worktree, 'rev-parse', 'HEAD');
      };
      git(worktree, 'checkout', '--quiet', '-b', 'first');
      const first = commit('first\n');
      git(worktree, 'checkout', '--quiet', '-b', 'second');
      const second = commit('second\n');
      for (const text of ['stashed one\n', 'stashed two\n']) {
        writeFileSync(join(worktree, 'README.md'), text);
        git(worktree, 'stash', 'push', '--quiet');
      }
      git(worktree, 'config', '--worktree', 'core.abbrev', '12');
      writeFileSync(join(worktree, 'staged.txt'), 'staged\n');
      git(worktree, 'add', 'staged.txt');
      writeFileSync(join(worktree, 'README.md'), 'changed\n');
      writeFileSync(join(worktree, 'draft.txt'), 'draft\n');
      const status = git(worktree, 'status', '--porcelain');
      server.commit('kept', { 'README.md': 'of others\n' });

      expect(await prepare()).toContain('kept: it is on the branch second');
      isWhole(worktree);
      expect(existsSync(folder.formerData)).toBe(false);
      expect(git(worktree, 'status', '--porcelain')).toBe(status);
      expect(git(worktree, 'rev-parse', 'HEAD', 'first', 'second')).toBe(
        [second, first, second].join('\n'),
      );
      expect(git(worktree, 'stash', 'list').split('\n')).toHaveLength(2);
      expect(git(worktree, 'show', 'stash@{1}:README.md')).toBe('stashed one');
      expect(git(worktree, 'config', 'core.abbrev')).toBe('12');
      expect(git(worktree, 'config', 'user.name')).toBe('Ada');
      expect(git(worktree, 'reflog', 'show', 'first').split('\n')).toHaveLength(2);
      expect(readFileSync(join(worktree, 'draft.txt'), 'utf8')).toBe('draft\n');
      // And from now on it is as any other.
      git(worktree, 'add', '--all');
      git(worktree, 'commit', '--quiet', '-m', 'third');
      git(worktree, 'checkout', '--quiet', '--detach');
      expect(await prepare()).toContain('kept: it has commits of its own');
    });

    it('moves on where nothing was left, also with a part of the history, and beside a colleague', async () => {
      server.create('idle');
      for (const text of ['2\n', '3\n', '4\n']) server.commit('idle', { 'README.md': text });
      const { agentOf } = begin('idle', 2);
      const [ada, bob] = [agentOf('Ada'), agentOf('Bob')];
      git(bob.folder.worktree, 'checkout', '--quiet', '-b', 'of-bob');
      const next = server.commit('idle', { 'README.md': '5\n' });
      expect(await ada.prepare()).toContain('moved to it');
      expect(git(ada.folder.worktree, 'rev-parse', 'HEAD')).toBe(next);
      expect(git(ada.folder.worktree, 'status', '--porcelain')).toBe('');
      isWhole(ada.folder.worktree);
      expect(await bob.prepare()).toContain('kept: it is on the branch of-bob');
      isWhole(bob.folder.worktree);
      expect(await ada.prepare()).toContain('as it was');
    });

    it('is brought to its form again where that was cut off', async () => {
      server.create('cut');
      const { agentOf } = begin('cut');
      const { folder, prepare } = agentOf('Ada');
      const { worktree } = folder;
      writeFileSync(join(worktree, 'README.md'), 'changed\n');
      mkdirSync(join(worktree, '.git.part', 'refs'), { recursive: true });
      writeFileSync(join(worktree, '.git.part', 'HEAD'), 'half');
      rmSync(join(worktree, '.git'));
      expect(await prepare()).toContain('kept: it has uncommitted changes');
      isWhole(worktree);
      expect(git(worktree, 'status', '--porcelain')).toBe('M README.md');
    });

    it('is made anew where it was never whole', async () => {
      server.create('half');
      const { agentOf } = begin('half');
      const { folder, prepare } = agentOf('Ada');
      renameSync(folder.placed, join(root, 'mark'));
      expect(await prepare()).toContain('made');
      isWhole(folder.worktree);
      expect(existsSync(folder.formerData)).toBe(false);
    });
  });
}
