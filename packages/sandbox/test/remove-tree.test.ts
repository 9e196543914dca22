import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../src';
import { newFolder, removeFolders } from './spawned';

afterAll(removeFolders);

const NOBODY = 65_534;
const SLASH = Buffer.from('/');
const isRoot = process.getuid?.() === 0;

async function asNobody(act: () => Promise<void>): Promise<void> {
  if (!isRoot) return act();
  process.seteuid!(NOBODY);
  try {
    await act();
  } finally {
    process.seteuid!(0);
  }
}

describe('removeTree', () => {
  it('removes folders whose permissions forbid access', async () => {
    const root = newFolder();
    if (isRoot) await chown(root, NOBODY, -1);
    const tree = join(root, 'a');
    await asNobody(async () => {
      mkdirSync(join(tree, 'b'), { recursive: true });
      writeFileSync(join(tree, 'b/file'), 'x');
      await chmod(join(tree, 'b'), 0);
      await chmod(tree, 0);
      await removeTree(tree);
    });
    expect(existsSync(tree)).toBe(false);
  });

  it('removes a folder whose paths exceed the limit of the system', async () => {
    const root = newFolder();
    const deep = join(root, 'deep');
    mkdirSync(deep);
    for (let depth = 0; depth < 320; depth++) {
      mkdirSync(join(root, 'next'));
      renameSync(deep, join(root, 'next', depth < 300 ? 'd' : '字'.repeat(83)));
      renameSync(join(root, 'next'), deep);
    }
    await removeTree(root);
    expect(existsSync(root)).toBe(false);
  });

  it('removes files and folders whose names are not UTF-8', async () => {
    if (process.platform !== 'linux') return; // Only Linux accepts names that are not UTF-8.
    const root = newFolder();
    if (isRoot) await chown(root, NOBODY, -1);
    const tree = join(root, 'tree');
    const name = Buffer.from([0x61, 0xff, 0xfe]);
    const inside = (...names: Buffer[]) =>
      Buffer.concat([Buffer.from(tree), ...names.flatMap((each) => [SLASH, each])]);
    await asNobody(async () => {
      mkdirSync(tree);
      mkdirSync(inside(name));
      writeFileSync(inside(name, name), 'x');
      writeFileSync(inside(Buffer.from([0x80])), 'x');
      await chmod(inside(name), 0);
      await removeTree(tree);
    });
    expect(existsSync(tree)).toBe(false);
  });

  it('removes every file that it may remove, and throws an error that names a remaining file', async () => {
    if (!isRoot) return; // Only root can create files of another account.
    const root = newFolder();
    const tree = join(root, 'tree');
    const foreign = join(tree, 'foreign');
    mkdirSync(foreign, { recursive: true });
    writeFileSync(join(foreign, 'file'), 'x');
    for (const path of [root, tree]) await chown(path, NOBODY, -1);
    await asNobody(async () => {
      writeFileSync(join(tree, 'own'), 'x');
      await expect(removeTree(tree)).rejects.toThrow(`${foreign}/file (EACCES)`);
    });
    expect(existsSync(join(tree, 'own'))).toBe(false);
    expect(existsSync(join(foreign, 'file'))).toBe(true);
  });

  it('ignores a missing folder', async () => {
    await removeTree(join(newFolder(), 'missing'));
  });
});
