import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { say } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { run, runInTerminal } from '@switchyard/launcher/process/run';

const PLANTS = 'packages/lab/plants';

interface Plant {
  name: string;
  promise: string;
  ring: string;
  test: string;
  testName: string;
}

/**
 * `npm run rehearse -- plants [beginning of a name]`: plants each bug in a clone of the last commit,
 * and runs the test that must find it. First runs these tests without a bug, because a test that
 * always fails finds nothing.
 */
export async function rehearsePlants(
  life: Lifecycle,
  root: string,
  [beginning = '']: string[],
): Promise<number> {
  const list = readFileSync(path.join(root, PLANTS, 'plants.json'), 'utf8');
  const plants = (JSON.parse(list) as Plant[]).filter(({ name }) => name.startsWith(beginning));
  if (plants.length === 0) {
    throw new UserError(`No plant begins with ${beginning}.`, `See ${PLANTS}.`);
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-plants-'));
  life.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  await git(root, 'clone', '--quiet', root, folder);
  const patchOf = ({ name }: Plant) => path.join(root, PLANTS, `${name}.patch`);
  for (const plant of plants) await git(folder, 'apply', '--check', patchOf(plant));

  const sound = await testsOf(life, folder, plants);
  const doubtful = plants.filter((plant) => !isPassed(sound, plant));
  if (doubtful.length > 0) {
    const tests = doubtful.map(({ test, testName }) => `${test}: ${testName}`).join('\n');
    throw new UserError('These tests do not pass without a bug.', 'Correct them first.', tests);
  }
  const missed: string[] = [];
  for (const plant of plants) {
    await git(folder, 'apply', patchOf(plant));
    const results = await testsOf(life, folder, [plant]);
    await git(folder, 'checkout', '--quiet', '.');
    const finder = results.find(failsAnAssertion);
    if (!finder) missed.push(plant.name);
    const how = finder ? `found by ${plant.ring}: ${finder.fullName}` : 'not found';
    say(`${plant.name}: ${how}`);
  }
  say(`${plants.length - missed.length} of ${plants.length} planted bugs found`);
  return missed.length === 0 ? 0 : 1;
}

interface Result {
  fullName: string;
  status: string;
  failureMessages: string[];
}

const isPassed = (results: Result[], { testName }: Plant) => {
  const named = results.filter(({ fullName }) => fullName.includes(testName));
  return named.length > 0 && named.every(({ status }) => status === 'passed');
};

const failsAnAssertion = ({ failureMessages }: Result) =>
  failureMessages.some((message) => message.includes('expect('));

async function testsOf(life: Lifecycle, folder: string, plants: Plant[]): Promise<Result[]> {
  const output = path.join(folder, '.cache', 'plants.json');
  rmSync(output, { force: true });
  const files = [...new Set(plants.map(({ test }) => test))];
  const names = plants.map(({ testName }) => testName.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  await runInTerminal(
    life,
    process.execPath,
    [
      ...['packages/bootstrap/run.mjs', 'test', ...files, '-t', names.join('|')],
      ...['--runInBand', '--json', `--outputFile=${output}`],
    ],
    { cwd: folder },
  );
  const { testResults } = readReport(output);
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed');
}

interface Report {
  testResults: { assertionResults: Result[] }[];
}

function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    throw new UserError('The tests did not run.', 'See the text above.');
  }
}

async function git(cwd: string, ...args: string[]): Promise<void> {
  const { code, output } = await run('git', args, { cwd });
  if (code !== 0) throw new UserError(`git ${args[0]} failed.`, 'See the text above.', output);
}
