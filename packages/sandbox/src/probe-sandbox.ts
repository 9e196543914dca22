import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenInHost } from './network';
import type { Sandbox } from './sandbox';

const TIMEOUT_MS = 20_000;

/**
 * Starts a child that tries to read a file outside its folders, to signal this process, to reach a
 * host port, and similar forbidden actions.
 * @throws Error naming what succeeded, or why the child did not start
 */
export async function probeSandbox(sandbox: Sandbox): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-probe-')));
  const own = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-probe-')));
  const foreign = join(folder, 'foreign');
  const listener = await listenInHost((socket) => void socket.destroy());
  try {
    await writeFile(foreign, 'not for the child');
    const facts = [String(process.pid), String(listener.port), foreign, own];
    const { said, status } = await ask(sandbox, own, facts);
    if (status !== 'confined') throw new Error(explain(sandbox, said.trim() || status));
  } finally {
    await listener.close();
    for (const each of [folder, own]) await rm(each, { recursive: true, force: true });
  }
}

/**
 * Under `landlock` the supervisor needs ptrace access: to change file modes, it reads paths from
 * the command's memory.
 */
function explain({ driver }: Sandbox, text: string): string {
  if (driver !== 'landlock' || !text.endsWith('modes of its own files')) return text;
  return `${text}: the setting kernel.yama.ptrace_scope must be 0 or 1 (2 and 3 block the supervisor)`;
}

async function ask(sandbox: Sandbox, own: string, facts: string[]) {
  const command = sandbox.entry
    ? { command: sandbox.entry, args: ['probe', ...facts] }
    : { command: '/bin/sh', args: ['-c', SHELL_PROBE, 'probe', ...facts] };
  const child = await sandbox.spawn(
    { ...command, cwd: own, environment: {} },
    {
      readOnly: [],
      readWrite: [own],
      home: null,
      network: 'none',
      limits: {
        ...{ processes: 16, openFiles: 64, fileBytes: 1024 * 1024 },
        ...{ watchers: 4, temporaryBytes: 1024 * 1024, workspaceBytes: 0 },
      },
    },
  );
  let said = '';
  const hear = (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(0, 2_000);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const closed = Promise.all(
    [child.stdout, child.stderr].map(
      (stream) => new Promise((resolve) => stream.once('close', resolve)),
    ),
  );
  const timer = setTimeout(() => void child.end(0), TIMEOUT_MS);
  const { failure } = await child.exited;
  await child.end(0);
  clearTimeout(timer);
  await closed;
  if (failure) return { said: `${failure.message}: ${said}`, status: 'failed' };
  return { said, status: said.trim() };
}

const SHELL_PROBE = `
if ! : > "$4/probe"; then echo "can't write to its own folder"
elif cat "$3" 2> /dev/null; then echo "reads files outside of its folders"
elif kill -0 "$1" 2> /dev/null; then echo "may send signals to the process that started it"
elif nc -z 127.0.0.1 "$2" 2> /dev/null; then echo "connects to a port of this machine"
else echo confined
fi`;
