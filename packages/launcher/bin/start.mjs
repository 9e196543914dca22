import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { start } = await import('../lib/start.mjs');
  await live((life) => start(life, root));
});
