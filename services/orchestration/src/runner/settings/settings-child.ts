import { readRunnerSettings } from '../runner-settings';

/** What the process that `readSettingsApart` starts answers with. */
export type SettingsAnswer =
  | { settings: ReturnType<typeof readRunnerSettings> }
  | { refused: string };

function answer(variables: Parameters<typeof readRunnerSettings>[0]): SettingsAnswer {
  try {
    return { settings: readRunnerSettings(variables) };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

process.once('message', (variables: Parameters<typeof readRunnerSettings>[0]) => {
  process.send?.(answer(variables), () => process.disconnect());
});
