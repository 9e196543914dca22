import { codingAgentConfig } from '../coding-agent-config';
import { OPENCODE_PROGRAM } from '../coding-programs';
import type { CodingTool, Provided } from '../coding-tool';
import { createOpencodeReader } from '../streams/read-opencode-stream';

/**
 * OpenCode's defaults allow edits and commands, and reject paths outside the working directory. A
 * fixed title saves a model call that the stream would not report. The log is read because only the
 * log contains the cause of an error.
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

const TOOLS = {
  switchyard: {
    type: 'remote',
    url: '{env:SERVICE_API_URL}/mcp',
    headers: { Authorization: 'Bearer {env:SERVICE_API_KEY}' },
    oauth: false,
  },
};

/** Adds `/v1`, because OpenCode's Anthropic client expects `/v1` in the base URL. */
function configOf({ ANTHROPIC_BASE_URL: url }: Provided): Record<string, string> {
  const provider = url && { provider: { anthropic: { options: { baseURL: `${url}/v1` } } } };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: TOOLS, ...(provider || {}) }) };
}

function withTools({ OPENCODE_CONFIG_CONTENT: own }: Provided): Record<string, string> {
  const config = own === undefined ? null : readObject(own);
  if (!config) return {};
  const mcp = { ...TOOLS, ...(config.mcp as object | undefined) };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config, mcp }) };
}

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
