import type { CodingTool } from '../coding-tool';
import { createCodexReader } from '../streams/read-codex-stream';

/**
 * Codex in exec mode. Its sandbox lets commands write below the working directory and the temporary folder only; the
 * network is open because the API is behind it, and the run's variables reach the commands because its token is one.
 * Options stand before `resume`, which takes fewer of them.
 */
export const CODEX: CodingTool = {
  adapterType: 'model_b_local',
  name: 'Codex',
  variable: 'MODEL_B_COMMAND',
  command: (settings) => settings.b.command,
  keys: { names: /_(API_KEY|TOKEN)$/, usual: 'CODEX_API_KEY' },
  environment: {},
  provider: () => 'openai',
  buildArguments: ({ model, sessionId, extraArgs }) => [
    'exec',
    '--json',
    '--skip-git-repo-check',
    '--sandbox=workspace-write',
    '-c',
    'sandbox_workspace_write.network_access=true',
    '-c',
    'shell_environment_policy.inherit="all"',
    '-c',
    'shell_environment_policy.ignore_default_excludes=true',
    ...(model ? [`--model=${model}`] : []),
    ...extraArgs,
    ...(sessionId ? ['resume', sessionId] : []),
    '-',
  ],
  createReader: createCodexReader,
};
