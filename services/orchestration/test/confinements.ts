import type { Driver } from '@switchyard/sandbox';
import { type Confinements, createConfinements } from '../src/adapters/sandbox/confinement';

const { PATH, HOME, BWRAP_COMMAND, BWRAP_LIBRARY_PATH } = process.env;

/** As a worker in local trusted mode has them, by the strongest driver of this machine or by the one that is named. */
export const confinementsBy = (wanted: 'auto' | Driver): Confinements =>
  createConfinements(
    {
      open: {
        wanted,
        mayBeOff: true,
        bwrap: BWRAP_COMMAND,
        bwrapLibraries: BWRAP_LIBRARY_PATH,
        path: PATH,
      },
      readOnly: [],
      limits: { processes: 2_048, openFiles: 0, fileBytes: 0 },
    },
    { path: PATH, home: HOME, dataDir: '/nonexistent' },
  );

export const CONFINEMENTS: Confinements = confinementsBy('auto');
