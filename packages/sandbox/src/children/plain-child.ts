import type { SandboxExit, SandboxedChild } from './sandboxed-child';
import type { SpawnedProcess } from './spawn-process';

export function plainChild(child: SpawnedProcess): SandboxedChild {
  const exited = new Promise<SandboxExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, failure: null }));
  });
  return {
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    end: async () => ({ isComplete: false, remaining: [] }),
  };
}
