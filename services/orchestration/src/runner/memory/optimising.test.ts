import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const built = (name: string) =>
  JSON.stringify(join(__dirname, '../../../dist/runner/memory', name));

/** What V8 says of compiling in a process with a runner's flags, which has masked this much and then does much. */
function compiledAfter(maskedBytes: number): string[] {
  const script = `require(${built('memory-flags')});
    const { countWorked } = require(${built('optimising')});
    for (let left = ${maskedBytes}; left > 0; left -= 1024) countWorked(1024);
    function busy(until) { let sum = 0; for (let n = 0; n < until; n++) sum += n % 7; return sum; }
    for (let n = 0; n < 60000; n++) busy(300);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--trace-opt', '-e', script], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => /compiling method .*<JSFunction busy/.test(line));
}

describe('functions of a runner', () => {
  it('are not optimised before there is output to mask', () => {
    expect(compiledAfter(255 * 1024)).toEqual([]);
  });

  it('are optimised from then on', () => {
    expect(compiledAfter(256 * 1024)).not.toEqual([]);
  });
});
