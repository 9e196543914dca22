import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { launch, makeStandIn, removeStandIn } from './stand-in';

function standIn(lintCode: number): string {
  const root = makeStandIn();
  const tool = (file: string, name: string, code: number) => {
    const place = path.join(root, 'node_modules', file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(
      place,
      `#!/usr/bin/env node\nconsole.log('${name} was called with', process.argv.slice(2).join(' '));\nprocess.exitCode = ${code};\n`,
      { mode: 0o755 },
    );
  };
  tool('jest/bin/jest.js', 'jest', 0);
  tool('.bin/biome', 'biome', lintCode);
  mkdirSync(path.join(root, 'node_modules/tsx'));
  writeFileSync(path.join(root, 'node_modules/tsx/index.js'), '');
  mkdirSync(path.join(root, 'packages/testing/jest'), { recursive: true });
  writeFileSync(path.join(root, 'packages/testing/jest/keep-worker-data.cjs'), '');
  return root;
}

const { TEST_DATABASE_URL = '', TEST_REDIS_URL = '' } = process.env;

function useStandIn(lintCode: number) {
  let root: string;
  beforeAll(() => {
    root = standIn(lintCode);
  });
  afterAll(() => removeStandIn(root));
  return async (...args: string[]) => {
    const launched = launch(root, { TEST_DATABASE_URL, TEST_REDIS_URL }, ['test', ...args]);
    return { code: await launched.exit, text: launched.text() };
  };
}

describe('npm test', () => {
  const test = useStandIn(0);

  it.each([
    [[], ''],
    [['--shard=1/2'], '--shard=1/2 '],
  ])('forwards the arguments %j to jest for the fast tests', async (args, passedOn) => {
    const { code, text } = await test(...args);
    expect(text).toContain(`jest was called with ${passedOn}--testMatch **/!(*.system).test.`);
    expect(code).toBe(0);
  });
});

describe('npm test with lint errors', () => {
  const test = useStandIn(1);

  it('fails before the tests if the command names no tests', async () => {
    const { code, text } = await test();
    expect(text).toContain('biome check found problems');
    expect(text).not.toContain('jest was called');
    expect(code).toBe(1);
  });

  it('runs the selected tests first, and then fails', async () => {
    const { code, text } = await test('issues', '-t', 'adopts');
    expect(text.indexOf('jest was called with issues -t adopts')).toBeGreaterThan(-1);
    expect(text.indexOf('biome check found problems')).toBeGreaterThan(
      text.indexOf('jest was called'),
    );
    expect(code).toBe(1);
  });
});
