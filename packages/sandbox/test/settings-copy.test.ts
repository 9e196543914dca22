import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openSandbox } from '../src';
import { copySettings } from '../src/settings-copy';
import { CONFINING, newFolder, open, policyOf, removeFolders, run, shell } from './spawned';

afterAll(removeFolders);

const { PATH } = process.env;

function makeSettings() {
  const system = newFolder();
  const at = (name: string) => join(system, name);
  writeFileSync(at('hosts'), 'one');
  writeFileSync(at('stub'), 'nameserver');
  symlinkSync('stub', at('resolv.conf'));
  mkdirSync(at('ssl/private'), { recursive: true });
  writeFileSync(at('ssl/cert.pem'), 'public');
  symlinkSync('cert.pem', at('ssl/link.pem'));
  writeFileSync(at('ssl/key.pem'), 'secret');
  chmodSync(at('ssl/key.pem'), 0o640);
  writeFileSync(at('ssl/private/key.pem'), 'secret');
  chmodSync(at('ssl/private'), 0o710);
  return { at, paths: ['hosts', 'resolv.conf', 'ssl', 'missing'].map(at) };
}

describe('copySettings', () => {
  it('copies only files that every account may read', async () => {
    const { at, paths } = makeSettings();
    const folder = join(newFolder(), 'copy');
    await copySettings(folder, paths);
    const copied = (name: string) => join(folder, at(name));
    expect(readFileSync(copied('hosts'), 'utf8')).toBe('one');
    expect(readFileSync(copied('resolv.conf'), 'utf8')).toBe('nameserver');
    expect(readlinkSync(copied('ssl/link.pem'))).toBe('cert.pem');
    expect(statSync(copied('ssl/cert.pem')).mode & 0o777).toBe(0o644);
    for (const name of ['ssl/key.pem', 'ssl/private', 'missing']) {
      expect(statSync(copied(name), { throwIfNoEntry: false })).toBeUndefined();
    }
  });

  it('updates an earlier copy', async () => {
    const { at, paths } = makeSettings();
    const folder = join(newFolder(), 'copy');
    await copySettings(folder, paths);
    writeFileSync(at('hosts'), 'two');
    rmSync(at('ssl/link.pem'));
    mkdirSync(at('ssl/link.pem'));
    rmSync(at('resolv.conf'));
    chmodSync(at('ssl/cert.pem'), 0o600);
    await copySettings(folder, paths);
    const copied = (name: string) => join(folder, at(name));
    expect(readFileSync(copied('hosts'), 'utf8')).toBe('two');
    expect(statSync(copied('ssl/link.pem')).isDirectory()).toBe(true);
    for (const name of ['resolv.conf', 'ssl/cert.pem']) {
      expect(statSync(copied(name), { throwIfNoEntry: false })).toBeUndefined();
    }
  });
});

if (CONFINING.includes('bwrap')) {
  describe('/etc of a command in bwrap', () => {
    const LIST = 'cd /etc && ls && cat hosts passwd nsswitch.conf && find ssl alternatives | sort';
    const OTHERS = ['/etc/fstab', '/etc/login.defs', '/etc/hostname'];

    it('has the same content whether it is a copy or separate mounts', async () => {
      const folder = newFolder();
      const mounted = await openSandbox({ wanted: 'bwrap', mayBeOff: false, path: PATH });
      const copied = await open('bwrap');
      const [one, other] = await Promise.all(
        [mounted, copied].map((sandbox) => run(sandbox, shell(LIST, folder), policyOf(folder))),
      );
      const withoutKeys = (text = '') => text.replace(/^ssl\/private\b.*\n/gm, '');
      expect(withoutKeys(other?.stdout)).toBe(withoutKeys(one?.stdout));
      expect(other?.stdout).toContain('passwd');
    });

    it('cannot be written', async () => {
      const folder = newFolder();
      const cache = newFolder();
      const sandbox = await open('bwrap', cache);
      const script = 'echo x > /etc/hosts; rm /etc/hosts; chmod 777 /etc/hosts; mkdir /etc/own';
      const { stderr } = await run(sandbox, shell(script, folder), policyOf(folder));
      expect(stderr.match(/Read-only file system/g)).toHaveLength(4);
      const copy = join(cache, 'settings/etc/hosts');
      expect(readFileSync(copy, 'utf8')).toBe(readFileSync('/etc/hosts', 'utf8'));
    });

    it('contains additional files that the policy names', async () => {
      const folder = newFolder();
      const sandbox = await open('bwrap');
      const opened = OTHERS.find((path) => existsSync(path)) ?? '';
      const policy = policyOf(folder, { readOnly: [opened] });
      const { exit, stdout } = await run(
        sandbox,
        shell(`cat ${opened} /etc/hosts`, folder),
        policy,
      );
      expect(exit).toMatchObject({ code: 0, failure: null });
      expect(stdout).toBe(readFileSync(opened, 'utf8') + readFileSync('/etc/hosts', 'utf8'));
    });

    it('consists of separate mounts if the copy cannot be written', async () => {
      const folder = newFolder();
      const file = join(folder, 'file');
      writeFileSync(file, '');
      const sandbox = await open('bwrap', join(file, 'no folder'));
      const { stdout } = await run(sandbox, shell('cat /etc/hosts', folder), policyOf(folder));
      expect(stdout).toBe(readFileSync('/etc/hosts', 'utf8'));
    });
  });
}
