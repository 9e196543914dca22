import '@switchyard/server/memory-flags';
import { setFlagsFromString } from 'node:v8';

/**
 * Of a runner, which mostly waits: the heap grows by less between collections than a service's, and a function is optimised
 * once it has done about a hundred times as much as V8 asks for by itself. The compiler's own pages and what it makes are
 * a tenth of a runner's memory; the masks of a long output are optimised all the same. The budget is on the command line of
 * `npm start` too: functions of Node's own that exist by now keep the one that they have. V8 has it until Node 20.
 */
setFlagsFromString('--heap-growing-percent=15');
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=10000000');

/**
 * Whatever the percentage, V8 lets a heap grow by 8 MB before it marks, which is more than is alive in a runner's. At two
 * fifths of that it begins to, when the program pauses, and at three fifths at once: 4 MB less at most, for about twice as
 * many collections of 10 ms.
 */
setFlagsFromString('--incremental-marking-soft-trigger=40');
setFlagsFromString('--incremental-marking-hard-trigger=60');
