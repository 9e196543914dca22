import { dirname, join } from 'node:path';
import { type Confinements, createConfinements } from '../src/adapters/sandbox/confinement';

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
export const CONFINEMENTS: Confinements = {
  ...confinements,
  async forAgent(command, home) {
    const { sandbox, policy } = await confinements.forAgent(command, home);
    // A stand-in of a coding agent notes its starts beside itself.
    const notes = command.environment.STAND_IN_PLAYS
      ? [join(dirname(command.command), 'starts')]
      : [];
    return { sandbox, policy: { ...policy, readWrite: [...policy.readWrite, ...notes] } };
  },
};
