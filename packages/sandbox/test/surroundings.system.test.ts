import { execFile } from 'node:child_process';
import { chmodSync, cpSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { openSandbox, SandboxUnavailable } from '../src';
import { PROBES } from './probes';
import { newFolder, open, removeFolders } from './spawned';

afterAll(removeFolders);

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const { PATH = '' } = process.env;

const program = (wanted: string, folder: string, command: string, args: string[]) => `
const { openSandbox } = require(${JSON.stringify(copyForAnybody())});
const settings = { wanted: ${JSON.stringify(wanted)}, mayBeOff: false, path: ${JSON.stringify(pathForAnybody())} };
const folder = ${JSON.stringify(folder)};
openSandbox(settings).then(async (sandbox) => {
  const child = await sandbox.spawn(
    { command: ${JSON.stringify(command)}, args: ${JSON.stringify(args)}, cwd: folder, environment: { PATH: '/usr/bin:/bin' } },
    { readOnly: [], readWrite: [folder], home: folder, network: 'none', limits: { processes: 24, openFiles: 0, fileBytes: 0, watchers: 0, temporaryBytes: 0, workspaceBytes: 0 } },
  );
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => { said[name] += chunk; });
  const exit = await child.exited;
  const end = await child.end(0);
  process.on('exit', () => console.log(JSON.stringify({ driver: sandbox.driver, why: sandbox.why, ...said, ...exit, ...end })));
}, (error) => console.log(JSON.stringify({ error: error.message })));
`;

let copy: string | undefined;

function copyForAnybody(): string {
  if (copy !== undefined) return copy;
  copy = folderOfAnybody();
  for (const part of ['package.json', 'dist', 'prebuilt']) {
    cpSync(join(__dirname, '..', part), join(copy, part), { recursive: true });
  }
  return copy;
}

function pathForAnybody(): string {
  const folders = PATH.split(delimiter).map((folder) => {
    if (!folder.endsWith('/.cache/bubblewrap')) return folder;
    const at = join(folderOfAnybody(), 'bubblewrap');
    cpSync(folder, at, { recursive: true, verbatimSymlinks: true });
    return at;
  });
  return folders.join(delimiter);
}

async function runNode(prefix: string[], source: string, uid?: number) {
  const [command = process.execPath, ...args] = [...prefix, process.execPath, '-e', source];
  const options = { env: { PATH }, cwd: '/', ...(uid !== undefined && { uid, gid: uid }) };
  const { stdout } = await promisify(execFile)(command, args, options);
  return JSON.parse(stdout);
}

function folderOfAnybody(): string {
  const folder = newFolder();
  chmodSync(folder, 0o777);
  return folder;
}

const forks = PROBES.find(({ limits }) => limits?.processes !== undefined);

describe.each(['bwrap', 'landlock'])('an unprivileged account with %s', (driver) => {
  if (!isRoot) return; // If the account is not root, the other tests already use an unprivileged account.

  it('can confine a command, and limit the command’s number of processes', async () => {
    const folder = folderOfAnybody();
    const script = forks!.script({} as never, 0);
    const found = await runNode([], program(driver, folder, 'perl', ['-e', script]), NOBODY);
    expect(found).toMatchObject({ driver, stdout: '', failure: null, isComplete: true });
    expect(found.stderr).toMatch(/^fork: Resource temporarily unavailable/);
    const works = await runNode([], program(driver, folder, 'id', ['-u']), NOBODY);
    expect(works).toMatchObject({ driver, stdout: `${NOBODY}\n`, code: 0 });
  });
});

describe('openSandbox without user namespaces', () => {
  const withoutNamespaces = [
    ...['bwrap', '--dev-bind', '/', '/', '--proc', '/proc', '--unshare-user', '--unshare-pid'],
    ...['--disable-userns', '--'],
  ];

  it('chooses landlock for auto, and returns the reason', async () => {
    const source = program('auto', newFolder(), 'echo', ['works']);
    const found = await runNode(withoutNamespaces, source);
    expect(found).toMatchObject({ driver: 'landlock', stdout: 'works\n', code: 0 });
    expect(found.why).toMatch(/bwrap: .*namespace/i);
  });

  it('fails if bwrap is required, instead of using another driver', async () => {
    const found = await runNode(withoutNamespaces, program('bwrap', newFolder(), 'echo', []));
    expect(found.error).toMatch(/^no sandbox can be created here: bwrap: .*namespace/i);
  });
});

function pathOfAnother(): string {
  const folder = newFolder();
  symlinkSync('/bin/true', join(folder, 'bwrap'));
  return folder;
}

describe('openSandbox', () => {
  it('chooses bwrap for auto if bwrap works', async () => {
    expect((await open('auto')).driver).toBe('bwrap');
  });

  it('chooses landlock for auto if bubblewrap is missing', async () => {
    const settings = {
      wanted: 'auto',
      mayBeOff: false,
      path: '/nowhere',
    } as const;
    const sandbox = await openSandbox(settings);
    expect(sandbox.driver).toBe('landlock');
    expect(sandbox.why).toContain('bwrap: bubblewrap is not installed');
  });

  it.each([
    [{ wanted: 'off', mayBeOff: false }, /local trusted mode/],
    [{ wanted: 'seatbelt', mayBeOff: true }, /seatbelt: only on macOS/],
    [
      { wanted: 'bwrap', mayBeOff: true, path: pathOfAnother() },
      /bwrap does not print its version/,
    ],
  ] as const)('fails for %o', async (settings, message) => {
    if (settings.wanted === 'seatbelt' && process.platform === 'darwin') return;
    const opened = openSandbox({ path: PATH, ...settings });
    await expect(opened).rejects.toThrow(SandboxUnavailable);
    await expect(opened).rejects.toThrow(message);
  });

  it('suggests SANDBOX=off only in local trusted mode', async () => {
    const wanted = process.platform === 'darwin' ? 'bwrap' : 'seatbelt';
    const local = openSandbox({ wanted, path: PATH, mayBeOff: true });
    await expect(local).rejects.toThrow(/SANDBOX=off/);
    const authenticated = openSandbox({ wanted, path: PATH, mayBeOff: false });
    await expect(authenticated).rejects.toThrow(/^((?!SANDBOX=off).)*$/);
  });

  it('returns the driver off for SANDBOX=off', async () => {
    expect(await open('off')).toMatchObject({ driver: 'off', entry: null, why: 'SANDBOX=off' });
  });
});
