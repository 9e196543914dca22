import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readRunnerSettings } from '../runner-settings';

const BUILT = join(__dirname, '../../../dist/runner/settings/read-settings-apart');
const VARIABLES = {
  RUNNER_URL: 'https://switchyard.example',
  RUNNER_TOKEN: 'a-token-of-a-test',
  RUNNER_NAME: 'here',
  RUNNER_LABELS: 'gpu,eu',
  DATA_DIR: '/srv/data',
  MODEL_PRICES: '{"gpt-5.5":{"input":1,"output":2}}',
  GATEWAY_PROVIDERS:
    '{"openai":{"baseUrl":"https://api.example","header":"authorization","value":"Bearer k"}}',
  PATH: '/usr/bin:/bin',
};

/** What a process of its own, as a runner is, is told and has loaded afterwards. */
function readIn(variables: object) {
  const script = `const { readSettingsApart } = require(${JSON.stringify(BUILT)});
    readSettingsApart(${JSON.stringify(variables)}).then(
      (settings) => console.log(JSON.stringify({ settings, loaded: Object.keys(require.cache) })),
      ({ message }) => console.log(JSON.stringify({ message })),
    );`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('settings that are read apart', () => {
  it('are those of the schemas, of which nothing is left in the process', () => {
    const { settings, loaded } = readIn(VARIABLES);
    expect(settings).toEqual(JSON.parse(JSON.stringify(readRunnerSettings(VARIABLES))));
    expect(settings).toMatchObject({
      labels: ['gpu', 'eu'],
      gateway: { providers: { openai: {} } },
    });
    expect(loaded.filter((path: string) => /[/]zod[/@]|runner-settings/.test(path))).toEqual([]);
  });

  it('are refused by the names of all that are bad', () => {
    const { message } = readIn({
      ...VARIABLES,
      RUNNER_URL: undefined,
      RUNNER_PORT: 'x',
      SANDBOX: 'none',
    });
    for (const name of ['RUNNER_URL: is missing', 'RUNNER_PORT: ', 'SANDBOX: ']) {
      expect(message).toContain(name);
    }
  });
});
