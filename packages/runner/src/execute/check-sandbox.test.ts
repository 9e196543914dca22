import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckAssignment } from '@switchyard/types';
import { confinementsBy } from '../../test/confinements';
import { type Confinements, createConfinements } from '../sandbox/confinement';
import { checkAgent } from './check-agent';

describe('checkAgent()', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await realpath(await mkdtemp(join(tmpdir(), 'check-sandbox-')));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const assignment: CheckAssignment = {
    checkId: randomUUID(),
    companyId: randomUUID(),
    agentId: randomUUID(),
    adapterType: 'process',
    config: { command: 'true' },
    environment: {},
    secrets: [],
    workspace: null,
  };
  const codesOf = async (confinements: Confinements) => {
    const places = {
      dataDir,
      home: null,
      workspaceRoots: 'any' as const,
      repositories: {} as never,
    };
    const parts = { places, confinements, adapterOf: () => undefined, probeGit: async () => [] };
    const found = await checkAgent(parts, assignment, new AbortController().signal);
    return found.map(({ level, code, message }) => [level, code, message]).slice(2);
  };

  it('reports no finding about a sandbox that works', async () => {
    expect(await codesOf(confinementsBy('auto'))).toEqual([]);
  });

  it('warns if the sandbox is off, and includes the reason', async () => {
    expect(await codesOf(confinementsBy('off'))).toEqual([
      ['warning', 'sandbox_off', 'the agent’s processes are not sandboxed: SANDBOX=off'],
    ]);
  });

  it('fails if a sandbox is required but does not work', async () => {
    const limits = {
      processes: 0,
      openFiles: 0,
      fileBytes: 0,
      watchers: 0,
      temporaryBytes: 0,
      workspaceBytes: 0,
    };
    const open = { wanted: 'bwrap', mayBeOff: false, path: '/nowhere' } as const;
    expect(await codesOf(createConfinements({ open, readOnly: [], limits }, null))).toEqual([
      [
        'error',
        'sandbox_unavailable',
        'no sandbox can be created here: bwrap: bubblewrap is not installed',
      ],
    ]);
  });
});
