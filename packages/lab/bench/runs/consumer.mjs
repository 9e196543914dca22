import { consumers } from './consumers.mjs';

/** A consumer in a process of its own: the first argument names it, the second holds its settings. */
const [, , kind, settings] = process.argv;
await consumers[kind](JSON.parse(settings), (n, at) => process.send({ n, at }));
process.on('disconnect', () => process.exit(0));
process.send({ isReady: true });
