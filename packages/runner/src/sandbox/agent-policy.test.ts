import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ChildEnvironment } from '../agents/environment/child-environment';
import { agentPolicy } from './agent-policy';
import { closedPlaces } from './closed-places';

describe('agentPolicy()', () => {
  let base: string;
  const below = (...parts: string[]) => join(base, ...parts);
  const script = async (...parts: string[]) => {
    await mkdir(dirname(below(...parts)), { recursive: true });
    await writeFile(below(...parts), '#!/bin/sh\n', { mode: 0o755 });
    return below(...parts);
  };
  const places = () =>
    closedPlaces({ home: below(), dataDir: below('data'), workspaceRoots: 'any' });
  const policyOf = (command: string, args: string[], isTrusted: boolean) =>
    agentPolicy({
      command: {
        command,
        args,
        cwd: below('site'),
        environment: { PATH: `/usr/bin:/bin:${below('tools')}` } as unknown as ChildEnvironment,
      },
      own: { home: below('home'), readOnly: [], readWrite: [below('home')] },
      readOnly: [],
      trusted: isTrusted ? { path: undefined, closed: places() } : null,
    });

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'agent-policy-')));
    for (const name of ['site', 'home']) await mkdir(below(name));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it('allows access only to the program’s file in authenticated mode, whatever folder contains the file', async () => {
    await script('tools', 'tool');
    await script('tools', 'package.json');
    await script('tools', '.env');
    for (const command of ['tool', below('tools/tool')]) {
      const { readOnly } = policyOf(command, [below('tools/.env')], false);
      expect(readOnly).toEqual([below('tools/tool')]);
    }
  });

  it.each([true, false])(
    'denies access to the target of a link with which the agent replaced its program (trusted: %s)',
    async (isTrusted) => {
      await symlink(await script('foreign', 'run'), below('site', 'run'));
      await symlink(below('foreign', 'run'), below('home', 'run'));
      for (const command of ['./run', below('site/run'), below('home/run')]) {
        const { readOnly } = await policyOf(command, [below('home/run')], isTrusted);
        expect(readOnly.filter((path) => path.startsWith(below('foreign')))).toEqual([]);
      }
    },
  );
});
