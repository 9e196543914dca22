import { useHarness } from '../../../../test/harness';
import { runEnvironment } from './run-environment';

describe('SERVICE_API_URL', () => {
  const harness = useHarness();

  it('equals agentApiUrl for agents in a worker, and publicUrl for remote agents', async () => {
    const { id } = await harness.build.liveRun();
    const row = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
    const run = { ...row, projectId: null, hasBudget: false, wakeIssues: [] };
    const config = {
      ...harness.config,
      publicUrl: 'https://board.example.com',
      agentApiUrl: 'http://api:3100',
    };
    const urlFor = async (adapterType: string) => {
      const started = { ...run, adapterType };
      const { variables } = await runEnvironment({ ...harness.context, config }, started, {});
      return variables.SERVICE_API_URL;
    };
    expect(await urlFor('process')).toBe('http://api:3100');
    expect(await urlFor('model_a_local')).toBe('http://api:3100');
    expect(await urlFor('http')).toBe('https://board.example.com');
  });
});
