import { setFlagsFromString } from 'node:v8';

/**
 * `import '@switchyard/server/memory-flags'`, among the first imports of a service. On a machine with much
 * memory V8 lets the heap grow to several times what is alive before it collects: 380 MB of an API whose live
 * objects take 60 MB. Growing by two fifths between collections keeps it at 200 MB for 5 to 15 % of the processor time of
 * the busiest routes; a fifth would keep it at 165 MB, for 20 to 30 %.
 *
 * The size of the young generation is fixed when a process starts, so it is not set here but by
 * `--max-semi-space-size`, in the images and by `npm start`.
 */
setFlagsFromString('--heap-growing-percent=40');

/**
 * How much a function of WebAssembly does before V8 compiles it again, optimised: 15 MB of code and of memory to make it
 * for Prisma's query compiler, which works only for a query that it has not seen.
 */
setFlagsFromString('--wasm-tiering-budget=100000000');

/**
 * One optimising compiler instead of two, where Node has both (24): pages of the program, what the compiler allocates while
 * it works, and what it makes are 8 MB of an API. The second alone makes the same routes as fast, some seconds later.
 */
setFlagsFromString('--no-maglev');
