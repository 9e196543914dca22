import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { restore } = await import('../lib/backup.mjs');
  await live((life) => restore(life, root, process.argv.slice(2)), { interruptedCode: 130 });
});
