import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@switchyard/db';
import { type Places, workingDirectory } from './working-directory';

const COUNTED = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

describe('the working directory of a run', () => {
  let dataDir: string;
  let places: Places;
  const runs = (...path: string[]) => join(dataDir, 'runs', ...path);
  const placed = async (runId: string, directory: string | null) => {
    const session = directory === null ? null : { id: 's', directory, counted: COUNTED };
    const spec = {
      companyId: newId(),
      agentId: newId(),
      agentName: 'Ada',
      config: {},
      workspace: null,
      repositoryCredential: null,
      session,
    };
    const preparation = { signal: new AbortController().signal, say: () => {} };
    return (await workingDirectory(places, runId, spec, preparation as never)).path;
  };

  beforeEach(async () => {
    dataDir = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-places-')));
    const repositories = { prepare: () => Promise.reject(new Error('not asked for')) };
    places = { dataDir, workspaceRoots: 'any', repositories };
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('is the one that the conversation began in', async () => {
    const first = await placed(newId(), null);
    expect(await placed(newId(), first)).toBe(first);
  });

  it('is a folder of its own, whatever else a runner has said of the conversation', async () => {
    const earlier = newId();
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
      const runId = newId();
      expect([directory, await placed(runId, directory)]).toEqual([directory, runs(runId)]);
    }
  });
});
