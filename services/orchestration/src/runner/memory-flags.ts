import '@switchyard/server/memory-flags';
import { setFlagsFromString } from 'node:v8';

/**
 * Of a runner, which mostly waits: the heap grows by less between collections than a service's, and a function is optimised
 * once it has done about a hundred times as much as V8 asks for by itself. The compiler's own pages and what it makes are
 * a tenth of a runner's memory; the masks of a long output are optimised all the same.
 */
setFlagsFromString('--heap-growing-percent=15');
setFlagsFromString('--interrupt-budget=10000000');
