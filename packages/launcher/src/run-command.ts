import { interruptedCode } from '@switchyard/bootstrap/prepare';
import { UserError } from '@switchyard/bootstrap/user-error';
import { type Lifecycle, withLifecycle } from './process/lifecycle.js';

type Command = (life: Lifecycle, root: string, args: string[]) => Promise<number | undefined>;

const COMMANDS: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./commands/start.js')).start,
  stop: async () => (await import('./commands/local/stop.js')).stop,
  status: async () => (await import('./commands/local/status.js')).status,
  doctor: async () => (await import('./commands/local/doctor.js')).doctor,
  upgrade: async () => (await import('./commands/local/upgrade.js')).upgrade,
  dev: async () => (await import('./commands/develop.js')).develop,
  test: async () => (await import('./commands/test.js')).test,
  build: async () => (await import('./commands/build.js')).build,
  format: async () => (await import('./commands/format.js')).format,
  backup: async () => (await import('./commands/backup.js')).backUp,
  restore: async () => (await import('./commands/backup.js')).restore,
  admin: async () => (await import('./commands/admin.js')).administer,
  release: async () => (await import('./commands/release.js')).release,
};

export async function runCommand(root: string, name: string, args: string[]): Promise<void> {
  const code = await withLifecycle(
    async (life) => {
      const load = COMMANDS[name];
      if (load) return (await load())(life, root, args);
      throw new UserError(`Unknown command: ${name}.`, Object.keys(COMMANDS).join(', '));
    },
    { interruptedCode: interruptedCode(name) },
  );
  process.exit(code);
}
