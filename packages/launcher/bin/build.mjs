import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { installAndBuild } = await import('../lib/build.mjs');
  await live((life) => installAndBuild(root, { signal: life.stop }), { interruptedCode: 130 });
});
