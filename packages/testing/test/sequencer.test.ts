import { existsSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const { readTimings } = require('../jest/timings.cjs');
const Sequencer = require('../jest/sequencer.cjs');

describe('the jest sequencer', () => {
  const names = Object.keys(readTimings());
  const quick = ['a.test.ts', 'b.test.ts', 'c.test.ts'];
  const tests = [...quick, ...names].map((name) => ({ path: path.join(ROOT, name) }));
  const sequencer = new Sequencer({ contexts: [], globalConfig: {} });

  it('has no timing for a file that does not exist', () => {
    expect(names.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
  });

  it('starts the longest files first', () => {
    expect(sequencer.sort(tests)).toEqual([...tests.slice(3), ...tests.slice(0, 3)]);
  });

  it('puts each file into exactly one shard, whatever the order of the files', () => {
    const shards = [1, 2, 3].map((shardIndex) =>
      sequencer.shard(shardIndex % 2 ? tests : tests.toReversed(), { shardIndex, shardCount: 3 }),
    );
    const paths = shards.flat().map((test) => test.path);
    expect(paths.toSorted()).toEqual(tests.map((test) => test.path).toSorted());
  });
});
