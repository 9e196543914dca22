import { codingAgentConfig } from '../coding-agent-config';
import { OPENCODE_PROGRAM } from '../coding-programs';
import type { CodingTool, Provided } from '../coding-tool';
import { createOpencodeReader } from '../streams/read-opencode-stream';

/**
 * OpenCode's run mode. By its own defaults it edits and runs commands, and refuses what lies outside the working
 * directory, because nobody is there to allow it. A title keeps it from asking a model for one, which its stream
 * would not count; its errors name the cause only in its log.
 */
export const OPENCODE: CodingTool = {
  ...OPENCODE_PROGRAM,
  keys: { names: /_(API_KEY|TOKEN)$/, usual: 'ANTHROPIC_API_KEY' },
  configSchema: codingAgentConfig,
  environment: (provided) => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', ...configOf(provided) }),
  provider: (model) => (model.includes('/') ? model.slice(0, model.indexOf('/')) : 'opencode'),
  buildArguments: ({ model, sessionId, extraArgs, runId }) => [
    'run',
    '--format=json',
    '--print-logs',
    '--log-level=ERROR',
    `--title=Run ${runId}`,
    ...(model ? [`--model=${model}`] : []),
    ...(sessionId ? [`--session=${sessionId}`] : []),
    ...extraArgs,
  ],
  createReader: createOpencodeReader,
};

/** Its client of Anthropic wants the version in the address, where the provider's own, and so the gateway, has it in paths. */
function configOf({ ANTHROPIC_BASE_URL: url }: Provided): Record<string, string> {
  if (url === undefined) return {};
  const provider = { anthropic: { options: { baseURL: `${url}/v1` } } };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider }) };
}
