import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

const LATE = `
  if (process.env.TINYPOOL_WORKER_ID === '2') {
    const { register } = await import('node:module');
    register('data:text/javascript,' + encodeURIComponent(\`
      export async function resolve(name, context, next) {
        if (name === 'jest-circus') await new Promise((go) => setTimeout(go, 4_000));
        return next(name, context);
      }\`));
  }`;

describe('a jest worker that starts late', () => {
  it('receives the configuration and runs its test files', async () => {
    const config = {
      rootDir: ROOT,
      runner: 'jest-light-runner/child-process',
      transform: {},
      testMatch: ['**/packages/async/src/*.test.ts'],
      maxWorkers: 2,
    };
    const late = `data:text/javascript,${encodeURIComponent(LATE)}`;
    const jest = spawn(
      process.execPath,
      ['node_modules/jest/bin/jest.js', '--config', JSON.stringify(config)],
      {
        cwd: ROOT,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: {
          ...process.env,
          NODE_OPTIONS: `--import tsx --require ./packages/testing/jest/keep-worker-data.cjs --import ${late}`,
          TSX_TSCONFIG_PATH: `${ROOT}/tsconfig.run.json`,
          TINYPOOL_WORKER_ID: '',
        },
      },
    );
    let output = '';
    jest.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    const [code] = await once(jest, 'close');
    expect({ code, output }).toMatchObject({ code: 0 });
  });
});
