import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { test } = await import('../lib/test.mjs');
  await live((life) => test(life, root, process.argv.slice(2)), { interruptedCode: 130 });
});
