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
  merge: withTools,
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

/** Our tools; OpenCode itself puts in the variables, so the token is in no other one. */
const TOOLS = {
  switchyard: {
    type: 'remote',
    url: '{env:SERVICE_API_URL}/mcp',
    headers: { Authorization: 'Bearer {env:SERVICE_API_KEY}' },
    oauth: false,
  },
};

/** Its client of Anthropic wants the version in the address, where the provider's own, and so the gateway, has it in paths. */
function configOf({ ANTHROPIC_BASE_URL: url }: Provided): Record<string, string> {
  const provider = url && { provider: { anthropic: { options: { baseURL: `${url}/v1` } } } };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: TOOLS, ...(provider || {}) }) };
}

/** Adds our tools to a configuration of the agent's own, unless it has a server of that name. */
function withTools({ OPENCODE_CONFIG_CONTENT: own }: Provided): Record<string, string> {
  const config = own === undefined ? null : readObject(own);
  if (!config) return {};
  const mcp = { ...TOOLS, ...(config.mcp as object | undefined) };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config, mcp }) };
}

/** Null for a text that is not a JSON object, e.g. one with comments, which stays as it is. */
function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
