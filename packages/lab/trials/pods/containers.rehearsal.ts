import { useHarness } from '@switchyard/orchestration/test/harness';
import { usePlacement } from '@switchyard/orchestration/test/pods/placement-harness';
import { WITH_RUNNERS } from '@switchyard/orchestration/test/runner-client';
import { podmanKubelet } from './podman-kubelet';

const LOOK = `
  const fs = require('node:fs');
  const status = fs.readFileSync('/proc/self/status', 'utf8');
  const field = (name) => new RegExp('^' + name + ':\\\\s+(.*)$', 'm').exec(status)?.[1].split(/\\s/)[0];
  const fails = (work) => { try { work(); return false; } catch { return true; } };
  console.log('looked ' + JSON.stringify({
    uid: process.getuid(), capabilities: field('CapEff'), noNewPrivileges: field('NoNewPrivs'),
    rootIsClosed: fails(() => fs.writeFileSync('/written', '')),
    ticketIsClosed: fails(() => fs.readFileSync('/var/run/switchyard/ticket')),
    runnerIsClosed: fails(() => fs.readFileSync('/proc/1/environ')),
    ticketInEnvironment: 'RUNNER_TICKET_FILE' in process.env,
  }));
`;

describe('a run in its own container', () => {
  const harness = useHarness({ config: { runner: { ...WITH_RUNNERS.runner, leaseMs: 20_000 } } });
  const placement = usePlacement(harness, () =>
    podmanKubelet(() => ({
      variables: { RUNNER_URL: harness.runnersUrl, PROCESS_ADAPTER_COMMANDS: 'node' },
    })),
  );
  const { place, queue, reaches, log } = placement;

  it('has no privileges, cannot access its ticket or its runner, and succeeds', async () => {
    place({ startMs: 120_000 });
    const id = await queue({ command: 'node', args: ['-e', LOOK] });
    await reaches(id, 'succeeded', 120_000);
    const [, looked = '{}'] = /looked (.*)/.exec(await log(id)) ?? [];
    expect(JSON.parse(looked)).toEqual({
      uid: 10_001,
      capabilities: '0000000000000000',
      noNewPrivileges: '1',
      rootIsClosed: true,
      ticketIsClosed: true,
      runnerIsClosed: true,
      ticketInEnvironment: false,
    });
  });
});
