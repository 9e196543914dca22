import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLeftTemporaryFolders } from '../src';
import { makeTemporaryFolder } from '../src/folders/temporary-folder';

describe('removeLeftTemporaryFolders', () => {
  const made: string[] = [];
  const folder = (name: string) => {
    const path = join(tmpdir(), name);
    mkdirSync(join(path, 'a', 'b'), { recursive: true });
    writeFileSync(join(path, 'a', 'b', 'file'), 'x');
    made.push(path);
    return path;
  };
  afterAll(() => {
    for (const path of made) rmSync(path, { recursive: true, force: true });
  });
  const ended = () => spawnSync('true').pid;

  it('removes folders of dead processes, even if permissions deny access', async () => {
    const ofDead = folder(`switchyard-run-${ended()}-0011aabb-XYZ123`);
    const sealed = folder(`switchyard-run-${ended()}-0011aabb-XYZ124`);
    spawnSync('chmod', ['000', join(sealed, 'a')]);
    const ofEarlierStart = folder(`switchyard-run-${process.pid}-0011aabb-XYZ125`);
    await removeLeftTemporaryFolders();
    expect([ofDead, sealed, ofEarlierStart].filter((path) => existsSync(path))).toEqual([]);
  });

  it('keeps folders of this process, of other living processes, and of other programs', async () => {
    const own = await makeTemporaryFolder();
    made.push(own);
    const kept = [
      own,
      folder(`switchyard-run-${process.ppid}-0011aabb-XYZ126`),
      folder(`switchyard-running-${ended()}-0011aabb-XYZ127`),
      folder(`switchyard-run-${ended()}`),
    ];
    await removeLeftTemporaryFolders();
    expect(kept.filter((path) => !existsSync(path))).toEqual([]);
  });
});
