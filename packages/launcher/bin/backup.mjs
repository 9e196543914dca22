import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { backUp } = await import('../lib/backup.mjs');
  await live((life) => backUp(life, root, process.argv.slice(2)), { interruptedCode: 130 });
});
