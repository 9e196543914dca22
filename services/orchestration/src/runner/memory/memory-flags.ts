import '@switchyard/server/memory-flags';
import { setFlagsFromString } from 'node:v8';

/**
 * Of a runner, which mostly waits: the heap grows by less between collections than a service's, and no function is optimised
 * before there is output enough to mask (`optimising.ts`), and then only once it has done about a hundred times as much as
 * V8 asks for by itself, with Node 22 and later ten times. The compiler's own pages and what it makes are a tenth of a
 * runner's memory.
 *
 * `--no-maglev`, which every service sets, is on the command line of a runner too: two functions of Node's own would be
 * compiled before this is read.
 */
setFlagsFromString('--heap-growing-percent=15');
setFlagsFromString('--no-opt');
setFlagsFromString(
  process.versions.node.startsWith('20.')
    ? '--interrupt-budget=10000000'
    : '--invocation-count-for-turbofan=30000',
);

/**
 * Whatever the percentage, V8 lets a heap grow by 8 MB before it marks, which is more than is alive in a runner's. At two
 * fifths of that it begins to, when the program pauses, and at three fifths at once: 4 MB less at most, for about twice as
 * many collections of 10 ms.
 */
setFlagsFromString('--incremental-marking-soft-trigger=40');
setFlagsFromString('--incremental-marking-hard-trigger=60');
