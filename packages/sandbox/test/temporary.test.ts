import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Driver } from '../src';
import { isLargerThan } from '../src/folders/folder-size';
import { removeTree } from '../src/folders/remove-tree';
import { CONFINING, newFolder, open, policyOf, removeFolders, run, shell } from './spawned';

afterAll(removeFolders);

const TEMPORARY_BYTES = 2 ** 20;

describe('TMPDIR under landlock', () => {
  const fill = async (script: string) => {
    const cwd = newFolder();
    const policy = policyOf(cwd);
    const sandbox = await open('landlock');
    const { exit } = await run(
      sandbox,
      { command: 'perl', args: ['-e', script], cwd, environment: { PATH: '/usr/bin:/bin' } },
      { ...policy, limits: { ...policy.limits, temporaryBytes: TEMPORARY_BYTES } },
    );
    return exit;
  };
  const large = (path: string) =>
    `open my $it, '>', ${path} or die $!; print $it 'x' x 2_097_152; close $it;`;

  it.each([
    ['in a file', large('"$ENV{TMPDIR}/large"')],
    [
      'in a folder without permissions',
      `my $at = "$ENV{TMPDIR}/closed"; mkdir $at; ${large('"$at/large"')} chmod 0, $at or die $!;`,
    ],
    ['with many empty files', 'for (1 .. 1_100) { open my $it, ">", "$ENV{TMPDIR}/$_" or die $! }'],
  ])('has a size limit, beyond which the command is killed: %s', async (_how, script) => {
    if (process.platform !== 'linux') return;
    expect(await fill(`${script} sleep 600;`)).toEqual({
      code: null,
      signal: null,
      failure: { code: 'TEMPORARY_FULL', message: 'TMPDIR must not contain more than 1 MiB' },
    });
  });
});

describe.each<Driver>(CONFINING)('the working directory under %s', (driver) => {
  it('has a size limit, beyond which the command is killed', async () => {
    const cwd = newFolder();
    const policy = policyOf(cwd);
    const sandbox = await open(driver);
    const script = 'mkdir deep && head -c 4000000 /dev/urandom > deep/large && sleep 600';
    const { exit } = await run(sandbox, shell(script, cwd), {
      ...policy,
      limits: { ...policy.limits, workspaceBytes: 2 ** 20 },
    });
    expect(exit).toEqual({
      code: null,
      signal: null,
      failure: { code: 'WORKSPACE_FULL', message: `${cwd} must not contain more than 1 MiB` },
    });
  });
});

describe('isLargerThan', () => {
  it('counts files in folders with non-UTF-8 names, and adds 1 KiB per name', async () => {
    const folder = newFolder();
    const inside = Buffer.concat([Buffer.from(`${folder}/a`), Buffer.from([0xff])]);
    mkdirSync(inside);
    writeFileSync(Buffer.concat([inside, Buffer.from('/file')]), Buffer.alloc(64 * 1024, 'x'));
    expect(await isLargerThan(folder, 64 * 1024)).toBe(true);
    expect(await isLargerThan(folder, 128 * 1024)).toBe(false);
  });

  const nest = (root: string, levels: number) => {
    const deep = `${root}/deep`;
    mkdirSync(deep);
    writeFileSync(`${deep}/file`, Buffer.alloc(64 * 1024, 'x'));
    for (let level = 0; level < levels; level++) {
      mkdirSync(`${root}/next`);
      renameSync(deep, `${root}/next/${'x'.repeat(250)}`);
      renameSync(`${root}/next`, deep);
    }
  };

  it('counts files whose paths are too long for a system call', async () => {
    const root = newFolder();
    nest(root, 40);
    const before = readdirSync('/proc/self/fd').length;
    expect(await isLargerThan(root, 64 * 1024)).toBe(true);
    expect(await isLargerThan(root, 2 ** 20)).toBe(false);
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
    await removeTree(root);
  });

  it('counts files in a folder without permissions whose path is too long for a system call', async () => {
    const root = newFolder();
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      chownSync(root, 65_534, 65_534);
      process.seteuid?.(65_534);
    }
    try {
      nest(root, 12);
      chmodSync(`${root}/deep${`/${'x'.repeat(250)}`.repeat(12)}`, 0);
      expect(await isLargerThan(root, 64 * 1024, 1)).toBe(true);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    await removeTree(root);
  });

  it('returns true for a folder that is nested too deeply to measure', async () => {
    const root = newFolder();
    nest(root, 600);
    expect(await isLargerThan(root, 2 ** 30)).toBe(true);
    await removeTree(root);
  });

  it('counts only files written since the start time, and a hard-linked file only once', async () => {
    const folder = newFolder();
    mkdirSync(`${folder}/closed`);
    writeFileSync(`${folder}/old`, Buffer.alloc(64 * 1024, 'x'));
    chmodSync(`${folder}/closed`, 0o000);
    const since = Date.now() + 1;
    while (Date.now() < since + 20);
    expect(await isLargerThan(folder, 0, since)).toBe(false);
    expect(statSync(`${folder}/closed`).mode & 0o777).toBe(0);
    writeFileSync(`${folder}/new`, Buffer.alloc(64 * 1024, 'x'));
    linkSync(`${folder}/new`, `${folder}/again`);
    expect(await isLargerThan(folder, 64 * 1024, since)).toBe(true);
    expect(await isLargerThan(folder, 72 * 1024, since)).toBe(false);
  });

  it('returns false for a missing folder', async () => {
    expect(await isLargerThan(`${newFolder()}/missing`, 0)).toBe(false);
  });
});
