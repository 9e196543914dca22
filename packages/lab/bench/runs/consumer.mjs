import { consumers } from './consumers.mjs';

/** Runs a consumer in a separate process: the first argument is its kind, the second its settings. */
const [, , kind, settings] = process.argv;
await consumers[kind](JSON.parse(settings), (n, at) => process.send({ n, at }));
process.on('disconnect', () => process.exit(0));
process.send({ isReady: true });
