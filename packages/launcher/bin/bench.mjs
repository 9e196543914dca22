import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { bench } = await import('../lib/bench.mjs');
  await live((life) => bench(life, root, process.argv.slice(2)), { interruptedCode: 130 });
});
