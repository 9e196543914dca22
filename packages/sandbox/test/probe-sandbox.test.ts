import { chmodSync, copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { probeSandbox } from '../src/probe-sandbox';
import { newFolder, open, removeFolders } from './spawned';

afterAll(removeFolders);

/**
 * Simulates ptrace_scope 2 or 3 with an unreadable program, because the kernel denies access to its
 * memory too.
 */
it('probeSandbox fails if the supervisor cannot read the memory of the command', async () => {
  if (process.platform !== 'linux') return;
  const sandbox = await open('landlock');
  const entry = join(newFolder(), 'unreadable');
  copyFileSync(sandbox.entry as string, entry);
  chmodSync(entry, 0o111);
  const probed = probeSandbox({
    ...sandbox,
    entry,
    spawn: (command, policy) =>
      sandbox.spawn(command, { ...policy, readOnly: [...policy.readOnly, dirname(entry)] }),
  });
  await expect(probed).rejects.toThrow('kernel.yama.ptrace_scope must be 0 or 1');
});
