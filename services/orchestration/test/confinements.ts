import { dirname, join } from 'node:path';
import {
  type ConfinedCommand,
  type Confinement,
  type Confinements,
  createConfinements,
} from '../src/adapters/sandbox/confinement';

const { PATH, HOME, BWRAP_COMMAND, BWRAP_LIBRARY_PATH } = process.env;

const confinements = createConfinements(
  {
    open: {
      wanted: 'auto',
      mayBeOff: true,
      bwrap: BWRAP_COMMAND,
      bwrapLibraries: BWRAP_LIBRARY_PATH,
      path: PATH,
    },
    readOnly: [join(__dirname, 'recorded')],
    limits: { processes: 2_048, openFiles: 0, fileBytes: 0 },
  },
  { path: PATH, home: HOME, dataDir: '/nonexistent' },
);

/** As a worker in local trusted mode has them, by the strongest driver of this machine. */
export const CONFINEMENTS: Confinements = adding(({ command, environment }) =>
  // A stand-in of a coding agent notes its starts beside itself.
  environment.STAND_IN_PLAYS ? [join(dirname(command), 'starts')] : [],
);

/** For programs of a test that note in `folder` what they were started with. */
export const confinementsWith = (folder: string): Confinements => adding(() => [folder]);

function adding(foldersOf: (command: ConfinedCommand) => string[]): Confinements {
  const add = ({ sandbox, policy }: Confinement, command: ConfinedCommand) => ({
    sandbox,
    policy: { ...policy, readWrite: [...policy.readWrite, ...foldersOf(command)] },
  });
  return {
    ...confinements,
    forAgent: async (command, home) => add(await confinements.forAgent(command, home), command),
    forTool: async (command, folders) => add(await confinements.forTool(command, folders), command),
  };
}
