import { consumers } from './consumers.mjs';

const [, , kind, settings] = process.argv;
await consumers[kind](JSON.parse(settings), (n, at) => process.send({ n, at }));
process.on('disconnect', () => process.exit(0));
process.send({ isReady: true });
