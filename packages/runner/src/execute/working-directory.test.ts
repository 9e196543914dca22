import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Places, workingDirectory } from './working-directory';

const COUNTED = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

describe('workingDirectory()', () => {
  let dataDir: string;
  let places: Places;
  const runs = (...path: string[]) => join(dataDir, 'runs', ...path);
  const placed = async (runId: string, directory: string | null, cwd?: string) => {
    const session = directory === null ? null : { id: 's', directory, counted: COUNTED };
    const spec = {
      companyId: randomUUID(),
      agentId: randomUUID(),
      agentName: 'Ada',
      config: cwd === undefined ? {} : { cwd },
      workspace: null,
      repositoryCredential: null,
      session,
    };
    const preparation = { signal: new AbortController().signal, logLine: () => {} };
    return (await workingDirectory(places, runId, spec, preparation as never)).path;
  };

  beforeEach(async () => {
    dataDir = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-places-')));
    const repositories = { prepare: () => Promise.reject(new Error('not asked for')) };
    places = { dataDir, home: await makeHome(), workspaceRoots: 'any', repositories };
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
    await rm(places.home as string, { recursive: true, force: true });
  });
  const makeHome = async () => {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-home-')));
    for (const name of ['work/site', '.ssh']) await mkdir(join(home, name), { recursive: true });
    await symlink(dataDir, join(home, 'work/link'));
    return home;
  };

  it('returns the folder in which the conversation began', async () => {
    const first = await placed(randomUUID(), null);
    expect(await placed(randomUUID(), first)).toBe(first);
  });

  it('returns the run’s own folder if the stored path of the conversation is not a run folder', async () => {
    const earlier = randomUUID();
    await mkdir(runs(earlier, 'inner'), { recursive: true });
    await symlink(dataDir, runs(earlier, 'link'));
    for (const directory of [
      `${runs()}/..`,
      `${runs()}/../../..`,
      `${runs(earlier)}/..`,
      `${runs(earlier)}/../..`,
      `${runs(earlier)}/`,
      `${runs()}/./${earlier}`,
      runs(earlier, 'inner'),
      runs(earlier, 'link'),
      runs(),
      `${runs()}/`,
    ]) {
      const runId = randomUUID();
      expect([directory, await placed(runId, directory)]).toEqual([directory, runs(runId)]);
    }
  });

  it('returns a configured folder unless it overlaps DATA_DIR, a system folder or a HOME', async () => {
    const home = places.home as string;
    const site = join(home, 'work/site');
    expect(await placed(randomUUID(), null, site)).toBe(site);
    await mkdir(runs('other'), { recursive: true });
    for (const cwd of [
      ...['/', '/etc', '/usr', '/usr/bin', '/proc/self', dataDir, join(dataDir, '..'), runs()],
      ...[runs('other'), home, join(home, '..'), join(home, '.ssh'), join(home, 'work/link')],
    ]) {
      await expect(placed(randomUUID(), null, cwd)).rejects.toMatchObject({
        outcome: { errorCode: 'cwd_not_allowed' },
      });
    }
  });
});
