import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { locateProgram } from './children/locate-program';
import { spawnProcess } from './children/spawn-process';
import { type ControlGroups, openControlGroups } from './control-groups';
import { createSandbox } from './create-sandbox';
import { bwrapDriver } from './drivers/bwrap';
import { nothing, type SandboxDriver } from './drivers/driver';
import { landlockDriver } from './drivers/landlock';
import { seatbeltDriver } from './drivers/seatbelt';
import { entryProgram } from './entry-program';
import { probeSandbox } from './probe-sandbox';
import type { Driver, Sandbox, SandboxSettings } from './sandbox';
import { copySettings, type SettingsCopy } from './settings-copy';
import { systemFolders } from './system-folders';

export class SandboxUnavailable extends Error {}

/**
 * Opens the configured driver, or the strongest one that works here; `auto` never chooses `off`.
 * Tests each driver with a child that attempts forbidden actions.
 * @throws SandboxUnavailable with the reason per driver
 */
export async function openSandbox(settings: SandboxSettings): Promise<Sandbox> {
  const { wanted, mayBeOff } = settings;
  if (wanted === 'off') {
    if (!mayBeOff) throw new SandboxUnavailable('SANDBOX=off is only valid in local trusted mode');
    return createSandbox(offDriver, 'SANDBOX=off');
  }
  const groups = await groupsFor(settings);
  const failures: string[] = [];
  for (const name of wanted === 'auto' ? candidates() : [wanted]) {
    try {
      const driver = await openDriver(name, settings);
      const why = wanted === 'auto' ? 'the strongest sandbox that works here' : `SANDBOX=${wanted}`;
      const passed = failures.length > 0 ? `; ${failures.join('; ')}` : '';
      const sandbox = createSandbox(driver, `${why}${passed}`, groups);
      await probeSandbox(sandbox);
      return sandbox;
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message}`);
    }
  }
  const reasons = failures.length > 0 ? failures.join('; ') : `none for ${process.platform}`;
  const wayOut = mayBeOff ? '. SANDBOX=off starts agents without one (docs/sandbox.md)' : '';
  throw new SandboxUnavailable(`no sandbox can be created here: ${reasons}${wayOut}`);
}

async function groupsFor({ controlGroup }: SandboxSettings): Promise<ControlGroups | null> {
  if (!controlGroup) return null;
  const { folder, memoryBytes } = controlGroup;
  return openControlGroups(folder, memoryBytes).catch((error: Error) => {
    throw new SandboxUnavailable(`${folder} is not a delegated control group: ${error.message}`);
  });
}

function candidates(): Driver[] {
  if (process.platform === 'linux') return ['bwrap', 'landlock'];
  return process.platform === 'darwin' ? ['seatbelt'] : [];
}

async function openDriver(name: Driver, settings: SandboxSettings): Promise<SandboxDriver> {
  if (name === 'seatbelt') {
    if (process.platform !== 'darwin') throw new Error('only on macOS');
    return seatbeltDriver();
  }
  const entry = entryProgram();
  if (!entry) throw new Error('the sandbox requires Linux on x86-64 or arm64');
  if (name === 'landlock') return landlockDriver(entry);
  return bwrapDriver(await findBubblewrap(settings), entry, await copyFor(settings));
}

async function copyFor({ cacheFolder }: SandboxSettings): Promise<SettingsCopy | null> {
  if (cacheFolder === undefined) return null;
  try {
    await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
    const folder = join(await realpath(cacheFolder), 'settings');
    return await copySettings(folder, systemFolders().settings);
  } catch {
    return null;
  }
}

const offDriver: SandboxDriver = {
  name: 'off',
  entry: null,
  isSupervised: false,
  hasOwnNetwork: false,
  isHeldByKernel: false,
  async prepare({ file, command, args, cwd, environment, input }) {
    return {
      plan: { file, argv0: command, args, cwd, environment, input, hasChannel: false },
      release: nothing,
    };
  },
};

async function findBubblewrap({ path }: Pick<SandboxSettings, 'path'>) {
  const missing = (): never => {
    throw new Error('bubblewrap is not installed');
  };
  const command = locate(path) ?? missing();
  const child = await spawnProcess({
    file: command,
    args: ['--version'],
    environment: {},
    hasChannel: false,
  }).catch(missing);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  child.stderr.resume();
  await new Promise((resolve) => child.once('close', resolve));
  const found = /bubblewrap (\d+)\.(\d+)/.exec(said);
  if (!found) throw new Error(`${command} does not print its version`);
  const version = [Number(found[1]), Number(found[2])] as const;
  return { command, version };
}

function locate(path: string | undefined): string | null {
  try {
    return locateProgram('bwrap', path, '/');
  } catch {
    return null;
  }
}
