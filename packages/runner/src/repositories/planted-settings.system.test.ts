import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { git, hasGit, sayWhetherTried, startGitServer } from '../../test/git-server';
import { openCache } from '../../test/repository-caches';
import { type RepositoryFolder, repositoryFolder } from './mirrors/repository-folder';
import type { RepositoryRequest } from './repository-cache';

const withGit = hasGit();

sayWhetherTried('git', withGit);

interface Place extends RepositoryFolder {
  hook: string;
}

type Plant = (place: Place) => void;

const prepared = (path: unknown) => ({
  path,
  readOnly: [expect.stringMatching(/mirror\.git\/objects$/)],
});

const config =
  (...pairs: [string, string][]): Plant =>
  (place) => {
    for (const [key, value] of pairs) git(place.worktree, 'config', '--worktree', key, value);
  };
const filters = ({ hook }: Place): [string, string][] => [
  ['filter.x.clean', hook],
  ['filter.x.smudge', hook],
  ['filter.y.process', hook],
  ['diff.x.textconv', hook],
  ['diff.x.command', hook],
  ['merge.x.driver', hook],
];
const ATTRIBUTES = '* filter=x diff=x merge=x\n*.md filter=y diff=x\n*.txt filter=x\n';
const attributes: Plant = ({ mirror }) => {
  mkdirSync(join(mirror, 'info'), { recursive: true });
  writeFileSync(join(mirror, 'info', 'attributes'), ATTRIBUTES);
};
const asFile = (pairs: [string, string][]) =>
  pairs
    .map(([key, value]) => {
      const [section, name, last] = key.split('.');
      return `[${section} "${name}"]\n\t${last} = ${value}\n`;
    })
    .join('');

const PLANTS: Record<string, Plant> = {
  'a filter in the worktree’s configuration': (place) => {
    config(...filters(place))(place);
    attributes(place);
  },
  'a filter for the worktree’s .gitattributes': (place) => {
    config(...filters(place))(place);
    writeFileSync(join(place.worktree, '.gitattributes'), ATTRIBUTES);
  },
  'a filter in the shared configuration': (place) => {
    for (const [key, value] of filters(place)) git(place.worktree, 'config', key, value);
    attributes(place);
  },
  'an included file': (place) => {
    const included = join(place.worktree, '..', 'included');
    writeFileSync(included, asFile(filters(place)));
    config(['include.path', included], ['includeIf.gitdir:/.path', included])(place);
    attributes(place);
  },
  'another common directory': (place) => {
    const elsewhere = join(dirname(place.mirror), 'elsewhere.git');
    git(dirname(place.mirror), 'clone', '--quiet', '--bare', place.mirror, elsewhere);
    writeFileSync(join(elsewhere, 'config'), asFile(filters(place)));
    mkdirSync(join(elsewhere, 'info'), { recursive: true });
    writeFileSync(join(elsewhere, 'info', 'attributes'), ATTRIBUTES);
    writeFileSync(join(place.worktreeData, 'commondir'), `${elsewhere}\n`);
  },
  'hooks and a monitor': (place) => {
    const { hook, mirror } = place;
    mkdirSync(join(mirror, 'hooks'), { recursive: true });
    for (const name of ['post-checkout', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(mirror, 'hooks', name), readFileSync(hook), { mode: 0o755 });
    }
    config(['core.fsmonitor', hook], ['core.hooksPath', join(mirror, 'hooks')])(place);
  },
  'a nested repository': (place) => {
    const inner = join(place.worktree, 'inner');
    mkdirSync(inner);
    git(inner, 'init', '--quiet');
    writeFileSync(join(inner, 'a.txt'), 'a');
    git(inner, 'add', '.');
    git(inner, 'commit', '--quiet', '-m', 'inner');
    git(place.worktree, 'add', 'inner');
    git(inner, 'config', 'core.fsmonitor', place.hook);
    for (const [key, value] of filters(place)) git(inner, 'config', key, value);
    mkdirSync(join(inner, '.git', 'info'), { recursive: true });
    writeFileSync(join(inner, '.git', 'info', 'attributes'), ATTRIBUTES);
    utimesSync(join(inner, 'a.txt'), 1, 1);
  },
};

if (withGit) {
  describe('RepositoryCache with planted settings', () => {
    let server: Awaited<ReturnType<typeof startGitServer>>;
    let root: string;
    beforeAll(async () => {
      server = await startGitServer();
    });
    afterAll(() => server.close());
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'planted-'));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    const begin = async (name: string) => {
      server.create(name, { 'README.md': `${name}\n`, 'a.txt': 'a\n' });
      const cache = openCache(join(root, 'cache'), {
        ...{ caFile: server.caFile, depth: 2 },
        isolated: true,
      });
      const agent = { id: randomUUID(), name: 'Ada' };
      const url = server.url(name);
      const request: RepositoryRequest = {
        companyId: randomUUID(),
        projectId: randomUUID(),
        agent,
        url,
        ref: null,
        credential: null,
      };
      const said: string[] = [];
      const prepare = () =>
        cache.prepare(request, {
          signal: new AbortController().signal,
          onStarted: async () => undefined,
          logLine: (line) => said.push(line),
        });
      expect(await prepare()).toEqual(prepared(expect.any(String)));
      const of = { projectId: request.projectId, agentId: agent.id, url };
      const folder = repositoryFolder(join(root, 'cache'), of);
      const hook = join(root, 'hook.sh');
      const mark = join(root, 'mark');
      writeFileSync(hook, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat\n`, { mode: 0o755 });
      return { place: { ...folder, hook }, mark, prepare, said };
    };

    it.each(Object.keys(PLANTS))('does not run %s in the worker', async (what) => {
      const name = `planted-${Object.keys(PLANTS).indexOf(what)}`;
      const { place, mark, prepare } = await begin(name);
      PLANTS[what]?.(place);
      rmSync(mark, { force: true });
      for (const file of ['README.md', 'a.txt']) utimesSync(join(place.worktree, file), 1, 1);
      expect(await prepare()).toEqual(prepared(place.worktree));
      server.commit(name, { 'README.md': 'second\n', 'b.txt': 'b\n' });
      expect(await prepare()).toEqual(prepared(place.worktree));
      expect(existsSync(mark) ? readFileSync(mark, 'utf8') : 'nothing ran').toBe('nothing ran');
    });

    it('does not fetch from a planted remote', async () => {
      const { place, prepare, said } = await begin('promised');
      config(
        ['extensions.partialClone', 'evil'],
        ['remote.evil.promisor', 'true'],
        ['remote.evil.url', server.url('elsewhere')],
      )(place);
      writeFileSync(join(place.worktreeData, 'HEAD'), `${'d'.repeat(40)}\n`);
      server.seen.length = 0;
      await prepare();
      expect(server.seen.filter(({ path }) => path.includes('elsewhere'))).toEqual([]);
      expect(said.at(-1)).toContain('not changed');
    });

    it.each<[string, (place: Place) => string]>([
      ['the configuration', ({ mirror }) => join(mirror, 'config')],
      ['the mirror’s own configuration', ({ mirror }) => join(mirror, 'config.worktree')],
      ['the mirror’s HEAD', ({ mirror }) => join(mirror, 'HEAD')],
      ['the marker file', ({ placed }) => placed],
      ['the partial marker file', ({ placed }) => `${placed}.part`],
    ])('does not write through a link that replaces %s', async (what, pathOf) => {
      const title = `linked-${what.replaceAll(/[^a-z]/gi, '-')}`;
      const { place, prepare } = await begin(title);
      const precious = join(root, 'precious');
      writeFileSync(precious, 'precious');
      const link = pathOf(place);
      rmSync(link, { force: true });
      symlinkSync(precious, link);
      server.commit(title, { 'README.md': 'second\n' });
      await prepare();
      expect(readFileSync(precious, 'utf8')).toBe('precious');
      expect(readFileSync(join(place.worktree, 'README.md'), 'utf8')).toBe('second\n');
    });

    it.each([
      ['worktree', 'index'],
      ['worktree', 'logs/HEAD'],
      ['mirror', 'shallow'],
    ])('does not let git write through a link that replaces the %s’s %s', async (of, name) => {
      const title = `written-${name.replace('/', '-')}`;
      const { place, prepare } = await begin(title);
      const file = join(of === 'mirror' ? place.mirror : place.worktreeData, name);
      for (const round of ['1', '2', '3']) server.commit(title, { 'README.md': `${round}\n` });
      await prepare();
      const precious = join(root, 'precious');
      renameSync(file, precious);
      symlinkSync(precious, file);
      const before = readFileSync(precious);
      for (const round of ['4', '5']) server.commit(title, { 'README.md': `${round}\n` });
      expect(await prepare()).toEqual(prepared(place.worktree));
      expect(readFileSync(precious).equals(before)).toBe(true);
    });

    it('does not write to linked folders', async () => {
      const { place, prepare, said } = await begin('led');
      const elsewhere = join(root, 'elsewhere');
      mkdirSync(join(elsewhere, 'logs'), { recursive: true });
      const links = [join(elsewhere, 'link'), join(elsewhere, 'logs', 'link')];
      for (const path of [place.worktreeData, place.worktree]) {
        for (const link of links) {
          rmSync(link, { force: true });
          symlinkSync('/dev/null', link);
        }
        rmSync(path, { recursive: true });
        symlinkSync(elsewhere, path);
        expect(await prepare()).toEqual(prepared(place.worktree));
        expect(said.at(-1)).toContain('created');
        expect(lstatSync(path).isDirectory()).toBe(true);
        expect(readdirSync(elsewhere).sort()).toEqual(['link', 'logs']);
        expect(readdirSync(join(elsewhere, 'logs'))).toEqual(['link']);
      }
    });

    it('rejects a link that replaces a folder of the cache', async () => {
      const { place, prepare } = await begin('moved');
      const elsewhere = join(root, 'elsewhere');
      for (const path of [join(place.mirror, 'refs'), dirname(place.worktree)]) {
        mkdirSync(elsewhere);
        rmSync(path, { recursive: true });
        symlinkSync(elsewhere, path);
        expect(await prepare()).toMatchObject({
          refusal: { errorCode: 'repository_failed', error: expect.stringContaining('link') },
        });
        expect(readdirSync(elsewhere)).toEqual([]);
        rmSync(path);
        rmSync(elsewhere, { recursive: true });
        mkdirSync(path);
      }
    });

    it('removes hooks and attributes that all agents would share', async () => {
      const { place, prepare } = await begin('shared');
      PLANTS['hooks and a monitor']?.(place);
      attributes(place);
      await prepare();
      expect(existsSync(join(place.mirror, 'hooks'))).toBe(false);
      expect(existsSync(join(place.mirror, 'info', 'attributes'))).toBe(false);
      expect(git(place.worktree, 'config', '--worktree', 'core.fsmonitor')).toBe(place.hook);
    });

    it('removes temporary files, and leaves the cache usable', async () => {
      const { place, prepare } = await begin('tidy');
      mkdirSync(join(dirname(place.mirror), 'control', 'left'), { recursive: true });
      await prepare();
      expect(existsSync(join(dirname(place.mirror), 'control', 'left'))).toBe(false);
      expect(git(place.worktree, 'status', '--porcelain')).toBe('');
      expect(git(place.worktree, 'fsck', '--connectivity-only')).toBe('');
      expect(git(place.worktree, 'worktree', 'list').split('\n')).toHaveLength(1);
    });
  });
}
