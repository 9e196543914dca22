import { dirname, join } from 'node:path';
import type { Driver } from '@switchyard/sandbox';
import { closedPlaces } from '../src/sandbox/closed-places';
import { type Confinements, createConfinements } from '../src/sandbox/confinement';
import type { ConfinementSettings } from '../src/sandbox/sandbox-settings';

const { PATH, HOME } = process.env;

export function confinementsBy(wanted: 'auto' | Driver): Confinements {
  const readOnly = [join(__dirname, 'recorded')];
  const places = { home: HOME, dataDir: '/nonexistent', workspaceRoots: 'any' } as const;
  const trusted = { path: PATH, closed: closedPlaces(places) };
  return withNotes(createConfinements({ ...sandboxBy(wanted), readOnly }, trusted));
}

export const sandboxBy = (wanted: 'auto' | Driver): ConfinementSettings => ({
  open: {
    wanted,
    mayBeOff: true,
    path: PATH,
  },
  readOnly: [],
  limits: {
    processes: 2_048,
    openFiles: 0,
    fileBytes: 0,
    watchers: 0,
    temporaryBytes: 0,
    workspaceBytes: 0,
  },
});

export const UNCONFINED: ConfinementSettings = {
  open: { wanted: 'off', mayBeOff: true },
  readOnly: [],
  limits: {
    processes: 0,
    openFiles: 0,
    fileBytes: 0,
    watchers: 0,
    temporaryBytes: 0,
    workspaceBytes: 0,
  },
};

export const CONFINEMENTS: Confinements = confinementsBy('auto');

function withNotes(confinements: Confinements): Confinements {
  return {
    ...confinements,
    async forAgent(command, own) {
      const { sandbox, policy } = await confinements.forAgent(command, own);
      const notes = command.environment.STAND_IN_PLAYS
        ? [join(dirname(command.command), 'starts')]
        : [];
      return { sandbox, policy: { ...policy, readWrite: [...policy.readWrite, ...notes] } };
    },
  };
}
