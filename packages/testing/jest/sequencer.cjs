const Sequencer = require('@jest/test-sequencer').default;
const { LEAST_SEC, nameOf, readTimings } = require('./timings.cjs');

const timings = readTimings();
const secondsOf = ({ path }) => timings[nameOf(path)] ?? LEAST_SEC / 2;

/**
 * Starts the longest files first, so that no long file runs last. Gives each shard the same share
 * of the total time.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    return tests.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }

  shard(tests, { shardIndex, shardCount }) {
    const shards = Array.from({ length: shardCount }, () => ({ tests: [], seconds: 0 }));
    const byPath = tests.toSorted((one, other) => (one.path < other.path ? -1 : 1));
    for (const test of this.sort(byPath)) {
      const shortest = shards.reduce((one, other) => (other.seconds < one.seconds ? other : one));
      shortest.tests.push(test);
      shortest.seconds += secondsOf(test);
    }
    return shards[shardIndex - 1].tests;
  }
};
