import { parseRetryAfter } from '@switchyard/server/retry-after';
import type { FailureKind, ToolFailure } from '../tool-event';
import { parseResetTime } from './parse-reset-time';

const word = (pattern: string) => `(?<![\\w./\\\\-])(?:${pattern})(?![\\w/\\\\-]|\\.\\w)`;
const sentences = (...patterns: string[]) => new RegExp(patterns.join('|'), 'i');

const SESSION_UNKNOWN =
  /no conversation found with session id|no rollout found for thread|session not found/i;

/**
 * This pattern is checked first, because a quota error often has the same status and type as "too
 * many requests".
 */
const QUOTA = sentences(
  'credit balance is too low',
  'quota exceeded',
  'exceeded your current quota',
  'check your plan and billing details',
  '(?:hit|reached|exceeded) your [a-z0-9 -]{0,30}(?:limit|quota)',
  'usage limit (?:has been )?(?:reached|exceeded)',
  word('out of credits'),
);

const SENTENCES: [FailureKind, RegExp][] = [
  [
    'model_unknown',
    sentences(
      'model not found: ',
      '\\b(?:the|selected) (?:requested )?model [(`\'"]?[\\w.:/@+-]{1,200}[)`\'"]?[.,]? (?:it )?(?:does not exist|may not exist|is not supported|was not found)',
      '\\bthe [`\'"][^`\'"\\n]{1,200}[`\'"] model is not supported',
    ),
  ],
  [
    'not_signed_in',
    sentences(
      'not logged in',
      'please run /login',
      'invalid (?:x-)?api[- ]key',
      'incorrect api key',
      'missing environment variable: `[A-Z_]*(?:KEY|TOKEN)`',
      'missing bearer',
      'api key is missing',
      '(?:log|sign) ?in again',
      'refresh token (?:has|was|is|could)',
    ),
  ],
  [
    'rate_limited',
    sentences(
      word('too many requests'),
      "exceed your (?:account's |organization's )?rate limit",
      'rate limit (?:was |has been )?(?:reached|exceeded|hit)',
    ),
  ],
  [
    'provider_unavailable',
    sentences(
      word('overloaded'),
      'high demand',
      'internal server error',
      'the server had an error',
      'stream disconnected',
      'connection (?:error|failed|refused|reset)',
      'unable to connect',
      word('econnreset|econnrefused|etimedout'),
      'error sending request',
      'failed to lookup',
    ),
  ],
];

const TYPES = new Map<string, FailureKind>(
  Object.entries({
    authentication_error: 'not_signed_in',
    authentication_failed: 'not_signed_in',
    permission_error: 'not_signed_in',
    invalid_api_key: 'not_signed_in',
    billing_error: 'quota_exhausted',
    insufficient_quota: 'quota_exhausted',
    usage_limit_reached: 'quota_exhausted',
    model_not_found: 'model_unknown',
    ProviderModelNotFoundError: 'model_unknown',
    rate_limit: 'rate_limited',
    rate_limit_error: 'rate_limited',
    rate_limit_exceeded: 'rate_limited',
    overloaded_error: 'provider_unavailable',
    server_error: 'provider_unavailable',
  } as const),
);
/** Excludes `rate_limit`, which other programs often print. */
const NAMED_TYPE = new RegExp(
  word([...TYPES.keys()].filter((type) => type !== 'rate_limit').join('|')),
);

const STATUSES: Record<number, FailureKind> = {
  401: 'not_signed_in',
  402: 'quota_exhausted',
  403: 'not_signed_in',
  404: 'model_unknown',
  408: 'provider_unavailable',
  429: 'rate_limited',
};

const STATED =
  /(?:API Error:?|\bHTTP(?:\/[\d.]{1,3})?|\bstatus(?: code)?:?|\brequest rejected) \(?([45]\d\d)\b(?![\w/\\-]|\.\w)|\b([45]\d\d) (?:unauthorized|payment required|forbidden|too many requests|internal server error|bad gateway|service unavailable|gateway timeout|overloaded)\b/i;

function statusIn(text: string): number | undefined {
  const found = STATED.exec(text);
  return found ? Number(found[1] ?? found[2]) : undefined;
}

function kindOf({ text, status: reported, types = [] }: FailureSigns): FailureKind {
  if (SESSION_UNKNOWN.test(text)) return 'session_unknown';
  const byType = types.map((type) => TYPES.get(type)).find((kind) => kind !== undefined);
  const status = reported ?? statusIn(text);
  const isServers = status !== undefined && status >= 500;
  if (!isServers && QUOTA.test(text)) return 'quota_exhausted';
  if (byType) return byType;
  const byStatus = status === undefined ? undefined : STATUSES[status];
  const named = TYPES.get(NAMED_TYPE.exec(text)?.[0] ?? '');
  if (byStatus)
    return byStatus === 'rate_limited' && named === 'quota_exhausted' ? named : byStatus;
  if (isServers) return 'provider_unavailable';
  return named ?? SENTENCES.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

const DEFAULT_LIMIT_MS = 3_600_000;
/** Providers' limits last at most a week, so a longer time has been misread. */
const LONGEST_WAIT_MS = 8 * 86_400_000;
/** Matches limits that end only with a payment, so that waiting does not help. */
const NO_MONEY =
  /credit balance|insufficient_quota|quota exceeded|current quota|billing_error|plan and billing|out of credits/i;

const MAX_CHARS = 8_000;

export interface FailureSigns {
  text: string;
  status?: number;
  types?: readonly string[];
  resetsAt?: number;
  headers?: Record<string, string>;
  now: Date;
}

function resetOf({ text, resetsAt, headers, now }: FailureSigns): Date | undefined {
  const reported = resetsAt ?? Number(headers?.['anthropic-ratelimit-unified-reset'] ?? Number.NaN);
  if (Number.isFinite(reported)) return new Date(reported * 1000);
  const after = parseRetryAfter(headers?.['retry-after'], now);
  if (after !== undefined) return new Date(now.getTime() + after);
  return parseResetTime(text, now);
}

/**
 * Classifies by type and status, then by known sentences of tools and providers. A quota without a
 * known end is retried after an hour, unless it requires a payment.
 */
export function classifyFailure(signs: FailureSigns): ToolFailure {
  const { now } = signs;
  const text = signs.text.slice(0, MAX_CHARS);
  const kind = kindOf({ ...signs, text });
  const message = text.trim().slice(0, 2_000) || 'the tool failed without a message';
  if (kind !== 'quota_exhausted' && kind !== 'rate_limited') return { kind, message };
  const reset = resetOf({ ...signs, text });
  const latest = now.getTime() + LONGEST_WAIT_MS;
  if (reset && reset > now) {
    return { kind, message, until: new Date(Math.min(reset.getTime(), latest)) };
  }
  const isMoney = NO_MONEY.test([text, ...(signs.types ?? [])].join('\n'));
  if (kind === 'rate_limited' || isMoney) return { kind, message };
  return { kind, message, until: new Date(now.getTime() + DEFAULT_LIMIT_MS) };
}
