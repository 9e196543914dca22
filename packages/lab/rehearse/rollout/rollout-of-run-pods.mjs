import { once } from 'node:events';
import path from 'node:path';
import { rehearse } from './rehearse.mjs';

const root = path.resolve(import.meta.dirname, '../../../..');
const { runPods, ...options } = JSON.parse(process.argv[2]);
const untilGone = async () => {
  const answer = once(process, 'message');
  process.send('settled');
  await answer;
};
const isGood = await rehearse({ root, rounds: 1, ...options, runPods: { ...runPods, untilGone } });
process.exitCode = isGood ? 0 : 1;
process.disconnect();
