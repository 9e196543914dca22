import { locateProgram } from './children/locate-program';
import { spawnProcess } from './children/spawn-process';
import type { SandboxSettings } from './sandbox';

/** Where bubblewrap is, and which. @throws when there is none that starts */
export async function findBubblewrap({ bwrap, bwrapLibraries, path }: SandboxSettings) {
  const missing = (): never => {
    throw new Error('bubblewrap is not installed');
  };
  const command = locate(bwrap ?? 'bwrap', path) ?? missing();
  const environment: Record<string, string> = bwrapLibraries
    ? { LD_LIBRARY_PATH: bwrapLibraries }
    : {};
  const child = await spawnProcess({
    file: command,
    args: ['--version'],
    environment,
    hasChannel: false,
  }).catch(missing);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  child.stderr.resume();
  await new Promise((resolve) => child.once('close', resolve));
  const found = /bubblewrap (\d+)\.(\d+)/.exec(said);
  if (!found) throw new Error(`${command} does not say its version`);
  const version = [Number(found[1]), Number(found[2])] as const;
  return { command, environment, version };
}

function locate(command: string, path: string | undefined): string | null {
  try {
    return locateProgram(command, path, '/');
  } catch {
    return null;
  }
}
