import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { administer } = await import('../lib/admin.mjs');
  await live((life) => administer(life, root, process.argv.slice(2)), { interruptedCode: 130 });
});
