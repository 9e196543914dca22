import '../runner/memory/memory-flags';
import { main } from '@switchyard/server/process-life';
import { readSettingsApart } from '../runner/settings/read-settings-apart';

void main(async () => {
  const settings = await readSettingsApart(process.env);
  // Afterwards, so that the process of the settings has ended by the time that the rest is in memory.
  const { runRunner } = await import('../runner/run-runner.js');
  await runRunner(settings);
});
