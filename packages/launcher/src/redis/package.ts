import { fromDistribution } from '../distribution/package.js';
import { type Redis, versionOf } from './installed.js';

const SERVERS = ['redis-server', 'valkey-server'];

/** The distribution's own package, unpacked below the project. */
export async function fromPackage(home: string, signal: AbortSignal): Promise<Redis | undefined> {
  const { env } = process;
  const searched = (libraries: string) =>
    [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  const wanted = {
    product: 'Redis',
    packages: SERVERS,
    programs: SERVERS,
    probe: ({ command, libraries }: { command: string; libraries: string }) =>
      versionOf(command, { ...env, LD_LIBRARY_PATH: searched(libraries) }),
  };
  const found = await fromDistribution(wanted, home, signal);
  return (
    found && {
      command: found.command,
      env: { LD_LIBRARY_PATH: searched(found.libraries) },
      label: `${found.label} from the distribution's package`,
    }
  );
}
