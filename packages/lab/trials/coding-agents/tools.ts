import { ANTHROPIC_MESSAGES } from '@switchyard/orchestration/test/providers/anthropic-messages';
import { OPENAI_RESPONSES } from '@switchyard/orchestration/test/providers/openai-responses';
import type {
  ProviderFormat,
  Step,
} from '@switchyard/orchestration/test/providers/provider-script';
import type { Provider } from '@switchyard/runner/gateway/origins/providers';
import type { RELEASES } from './install-tool';

interface RehearsedFailure {
  name: string;
  step: () => Extract<Step, { status: number }>;
  errorCode: string;
  retries: 'no' | 'soon' | 'at_reset';
  configure?: (url: string) => object;
}

export interface RehearsedTool {
  tool: keyof typeof RELEASES;
  recording: string;
  adapterType: string;
  format: ProviderFormat;
  model: string;
  configure(url: string): { env?: Record<string, string>; extraArgs?: string[] };
  provided(url: string): Record<string, Provider>;
  unknownSession: string;
  failures: RehearsedFailure[];
}

export const RESET_SEC = 3_600;
const resetAt = () => Math.floor(Date.now() / 1_000) + RESET_SEC;

const anthropic = (status: number, type: string, message: string, headers?: () => object) => () =>
  ({
    status,
    error: { type: 'error', error: { type, message } },
    headers: { ...headers?.() },
  }) as Extract<Step, { status: number }>;

const openai = (status: number, type: string, message: string, more?: () => object) => () => ({
  status,
  error: { error: { type, code: type, param: null, message, ...more?.() } },
});

const unifiedReset = () => ({
  'anthropic-ratelimit-unified-status': 'rejected',
  'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  'anthropic-ratelimit-unified-reset': String(resetAt()),
});

export const OPERATORS_KEY = 'key-of-the-operator';
const anthropicProvided = (baseUrl: string) => ({
  anthropic: { baseUrl, header: 'x-api-key', value: OPERATORS_KEY },
});
const openaiProvided = (url: string) => ({
  openai: { baseUrl: `${url}/v1`, header: 'authorization', value: `Bearer ${OPERATORS_KEY}` },
});

const claudeEnv = (url: string) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'scripted-key',
  CLAUDE_CODE_MAX_RETRIES: '0',
});

export const CLAUDE: RehearsedTool = {
  tool: 'claude',
  recording: 'claude-code',
  adapterType: 'model_a_local',
  format: ANTHROPIC_MESSAGES,
  model: 'claude-sonnet-4-5',
  configure: (url) => ({ env: claudeEnv(url) }),
  provided: anthropicProvided,
  unknownSession: '11111111-1111-4111-8111-111111111111',
  failures: [
    {
      name: 'quota',
      step: anthropic(429, 'rate_limit_error', 'limit reached', unifiedReset),
      errorCode: 'quota_exhausted',
      retries: 'at_reset',
      configure: (url) => {
        const { ANTHROPIC_API_KEY: _, ...env } = claudeEnv(url);
        return { env: { ...env, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-scripted' } };
      },
    },
    {
      name: 'no-credit',
      step: anthropic(400, 'invalid_request_error', 'Your credit balance is too low to access it.'),
      errorCode: 'quota_exhausted',
      retries: 'no',
    },
    {
      name: 'bad-key',
      step: anthropic(401, 'authentication_error', 'invalid x-api-key'),
      errorCode: 'not_signed_in',
      retries: 'no',
    },
    {
      name: 'not-signed-in',
      step: anthropic(401, 'authentication_error', 'invalid x-api-key'),
      errorCode: 'not_signed_in',
      retries: 'no',
      configure: (url) => ({ env: { ANTHROPIC_BASE_URL: url } }),
    },
    {
      name: 'model-unknown',
      step: anthropic(404, 'not_found_error', 'model: nope'),
      errorCode: 'model_unknown',
      retries: 'no',
    },
    {
      name: 'rate-limited',
      step: anthropic(429, 'rate_limit_error', 'This request would exceed your rate limit.'),
      errorCode: 'rate_limited',
      retries: 'soon',
    },
    {
      name: 'unavailable',
      step: anthropic(529, 'overloaded_error', 'Overloaded'),
      errorCode: 'provider_unavailable',
      retries: 'soon',
    },
  ],
};

/** Uses a custom provider with few retries, because the built-in provider prefers a WebSocket. */
const codexArgs = (url: string) => [
  '-c',
  'model_provider="scripted"',
  '-c',
  `model_providers.scripted={name="scripted",base_url="${url}/v1",wire_api="responses",env_key="SCRIPTED_API_KEY",request_max_retries=0,stream_max_retries=0}`,
];
const codexEnv = { SCRIPTED_API_KEY: 'scripted-key' };

export const CODEX: RehearsedTool = {
  tool: 'codex',
  recording: 'codex',
  adapterType: 'model_b_local',
  format: OPENAI_RESPONSES,
  model: 'gpt-5.5',
  configure: (url) => ({ env: codexEnv, extraArgs: codexArgs(url) }),
  provided: openaiProvided,
  unknownSession: '11111111-1111-4111-8111-111111111111',
  failures: [
    {
      name: 'quota',
      step: openai(429, 'usage_limit_reached', 'The usage limit has been reached', () => ({
        plan_type: 'plus',
        resets_at: resetAt(),
        resets_in_seconds: RESET_SEC,
      })),
      errorCode: 'quota_exhausted',
      retries: 'at_reset',
    },
    {
      name: 'no-credit',
      step: openai(429, 'insufficient_quota', 'You exceeded your current quota.'),
      errorCode: 'quota_exhausted',
      retries: 'no',
    },
    {
      name: 'bad-key',
      step: openai(401, 'invalid_api_key', 'Incorrect API key provided: scripted.'),
      errorCode: 'not_signed_in',
      retries: 'no',
    },
    {
      name: 'not-signed-in',
      step: openai(401, 'invalid_api_key', 'Incorrect API key provided.'),
      errorCode: 'not_signed_in',
      retries: 'no',
      configure: (url) => ({ env: {}, extraArgs: codexArgs(url) }),
    },
    {
      name: 'model-unknown',
      step: openai(404, 'model_not_found', 'The model `nope` does not exist.'),
      errorCode: 'model_unknown',
      retries: 'no',
    },
    {
      name: 'rate-limited',
      step: openai(429, 'rate_limit_exceeded', 'Rate limit reached for requests per min.'),
      errorCode: 'rate_limited',
      retries: 'soon',
    },
    {
      name: 'unavailable',
      step: openai(500, 'server_error', 'The server had an error'),
      errorCode: 'provider_unavailable',
      retries: 'soon',
    },
  ],
};

const opencodeConfig = (url: string, apiKey?: string) => ({
  env: {
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      provider: { anthropic: { options: { baseURL: `${url}/v1`, ...(apiKey && { apiKey }) } } },
    }),
  },
});

export const OPENCODE: RehearsedTool = {
  tool: 'opencode',
  recording: 'opencode',
  adapterType: 'model_c_local',
  format: ANTHROPIC_MESSAGES,
  model: 'anthropic/claude-sonnet-4-5',
  configure: (url) => opencodeConfig(url, 'scripted-key'),
  provided: anthropicProvided,
  unknownSession: 'ses_000000000000AAAAAAAAAAAAAA',
  // Does not test an overloaded server, because the tool would retry for the whole run.
  failures: [
    {
      name: 'quota',
      step: anthropic(429, 'rate_limit_error', "You've hit your session limit", () => ({
        ...unifiedReset(),
        'retry-after': '1',
      })),
      errorCode: 'quota_exhausted',
      retries: 'at_reset',
    },
    {
      name: 'no-credit',
      step: anthropic(400, 'invalid_request_error', 'Your credit balance is too low to access it.'),
      errorCode: 'quota_exhausted',
      retries: 'no',
    },
    {
      name: 'bad-key',
      step: anthropic(401, 'authentication_error', 'invalid x-api-key'),
      errorCode: 'not_signed_in',
      retries: 'no',
    },
    {
      name: 'model-unknown',
      step: anthropic(404, 'not_found_error', 'model: nope'),
      errorCode: 'model_unknown',
      retries: 'no',
    },
    {
      name: 'model-unlisted',
      step: anthropic(404, 'not_found_error', 'model: nope'),
      errorCode: 'model_unknown',
      retries: 'no',
      configure: (url) => ({ ...opencodeConfig(url, 'scripted-key'), model: 'anthropic/nope' }),
    },
    {
      name: 'rate-limited',
      step: anthropic(
        429,
        'rate_limit_error',
        'This request would exceed your rate limit.',
        () => ({
          'retry-after': '1',
        }),
      ),
      errorCode: 'rate_limited',
      retries: 'soon',
    },
  ],
};
