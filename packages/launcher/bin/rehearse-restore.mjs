import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { rehearseRestore } = await import('../lib/rehearse-restore.mjs');
  await live((life) => rehearseRestore(life, root), { interruptedCode: 130 });
});
