import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Driver,
  openSandbox,
  type Sandbox,
  type SandboxCommand,
  type SandboxedChild,
  type SandboxPolicy,
} from '../src';

const { PATH } = process.env;

export const open = (
  wanted: 'auto' | Driver,
  cacheFolder: string | undefined = newFolder(),
): Promise<Sandbox> =>
  openSandbox({
    wanted,
    mayBeOff: true,
    path: PATH,
    cacheFolder,
  });

export const CONFINING = (
  process.platform === 'linux' ? ['bwrap', 'landlock'] : ['seatbelt']
) as Driver[];

const folders: string[] = [];

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-test-')));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function policyOf(folder: string, change: Partial<SandboxPolicy> = {}): SandboxPolicy {
  const limits = {
    processes: 512,
    openFiles: 0,
    fileBytes: 0,
    watchers: 16,
    temporaryBytes: 0,
    workspaceBytes: 0,
  };
  return { readOnly: [], readWrite: [folder], home: folder, network: 'none', limits, ...change };
}

export const shell = (script: string, folder: string): SandboxCommand => ({
  command: 'sh',
  args: ['-c', script],
  cwd: folder,
  environment: { PATH: '/usr/bin:/bin' },
});

export function collect(child: SandboxedChild): Promise<{ stdout: string; stderr: string }> {
  const read = async (stream: SandboxedChild['stdout']) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(stream, 'close');
    return Buffer.concat(chunks).toString('utf8');
  };
  return Promise.all([read(child.stdout), read(child.stderr)]).then(([stdout, stderr]) => ({
    stdout,
    stderr,
  }));
}

export async function run(sandbox: Sandbox, command: SandboxCommand, policy: SandboxPolicy) {
  const child = await sandbox.spawn(command, policy);
  const output = collect(child);
  const exit = await child.exited;
  const end = await child.end(0);
  return { exit, end, ...(await output) };
}

export function living(mark: string): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

export const newMark = () => `61.${Math.floor(Math.random() * 1e9)}`;

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
