import { locateProgram } from './children/locate-program';
import { spawnProcess } from './children/spawn-process';
import type { SandboxSettings } from './sandbox';

export async function findBubblewrap({ path }: Pick<SandboxSettings, 'path'>) {
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
