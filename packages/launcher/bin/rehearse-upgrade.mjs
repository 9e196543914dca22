import { begin } from '../lib/begin.mjs';

await begin(async ({ live, root }) => {
  const { rehearseUpgrade } = await import('../lib/rehearse-upgrade.mjs');
  await live((life) => rehearseUpgrade(life, root, process.argv.slice(2)), {
    interruptedCode: 130,
  });
});
