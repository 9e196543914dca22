import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { develop } = await import('../lib/develop.mjs');
  await live((life) => develop(life, root));
});
