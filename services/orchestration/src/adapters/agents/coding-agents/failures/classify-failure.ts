import { parseRetryAfter } from '../../http/http-outcome';
import type { FailureKind, ToolFailure } from '../tool-event';
import { parseLocalTime } from './parse-local-time';

/** What tools and their providers write, most telling first; the first that fits decides. */
const WORDS: [FailureKind, RegExp][] = [
  [
    'session_unknown',
    /no conversation found with session id|no rollout found for thread|session not found/i,
  ],
  ['quota_exhausted', /credit balance is too low|insufficient_quota|quota exceeded|billing/i],
  [
    'quota_exhausted',
    /(hit|reached|exceeded) your [a-z0-9 -]{0,30}(limit|quota)|usage limit|out of credits/i,
  ],
  [
    'model_unknown',
    /model_?not_?found|providermodelnotfound|model\b[^\n]{0,120}(does not exist|not found|may not exist|is not supported)/i,
  ],
  [
    'not_signed_in',
    /not logged in|please run \/login|invalid (x-)?api[- ]key|incorrect api key|\b401\b|unauthorized|authentication_(failed|error)|missing environment variable: `[A-Z_]*(KEY|TOKEN)`|missing bearer|(log|sign) ?in again|refresh token|api key is missing/i,
  ],
  ['rate_limited', /rate[ _-]?limit|\b429\b|too many requests/i],
  [
    'provider_unavailable',
    /overloaded|high demand|\b5(00|02|03|04|29)\b|server[ _]error|stream disconnected|connection (error|failed|refused|reset)|unable to connect|econnre(set|fused)|etimedout|error sending request|failed to lookup/i,
  ],
];

const STATUSES: Record<number, FailureKind> = {
  401: 'not_signed_in',
  402: 'quota_exhausted',
  403: 'not_signed_in',
  404: 'model_unknown',
  408: 'provider_unavailable',
  429: 'rate_limited',
};

function kindOf(text: string, status: number | undefined): FailureKind {
  const byWords = WORDS.find(([, pattern]) => pattern.test(text))?.[0];
  if (byWords && byWords !== 'rate_limited') return byWords;
  const byStatus = status === undefined ? undefined : STATUSES[status];
  if (byStatus) return byStatus;
  if (status !== undefined && status >= 500) return 'provider_unavailable';
  return byWords ?? 'other';
}

/** When a limit of this kind passes when nobody said so: long enough to be worth asking again. */
const UNTOLD_LIMIT_MS = 3_600_000;
/** Providers' limits last a week at most; a longer time is a misunderstanding. */
const LONGEST_WAIT_MS = 8 * 86_400_000;
/** Money that is used up does not come back by waiting. */
const NO_MONEY = /credit balance|insufficient_quota|quota exceeded|billing|out of credits/i;

/** What follows names no kind that the beginning does not. */
const MAX_CHARS = 8_000;

export interface FailureSigns {
  text: string;
  /** HTTP status of the provider, where the tool tells it. */
  status?: number;
  /** Seconds since 1970 at which a limit ends. */
  resetsAt?: number;
  headers?: Record<string, string>;
  now: Date;
}

function resetOf({ text, resetsAt, headers, now }: FailureSigns): Date | undefined {
  const told = resetsAt ?? Number(headers?.['anthropic-ratelimit-unified-reset'] ?? Number.NaN);
  if (Number.isFinite(told)) return new Date(told * 1000);
  const after = parseRetryAfter(headers?.['retry-after'], now);
  if (after !== undefined) return new Date(now.getTime() + after);
  return parseLocalTime(text, now);
}

/**
 * What kind of failure a tool's words are, and when it passes. A limit that names no end is asked for again in an
 * hour, but one of money has none.
 */
export function classifyFailure(signs: FailureSigns): ToolFailure {
  const { now } = signs;
  const text = signs.text.slice(0, MAX_CHARS);
  const kind = kindOf(text, signs.status);
  const message = text.trim().slice(0, 2_000) || 'the tool failed without a word';
  if (kind !== 'quota_exhausted' && kind !== 'rate_limited') return { kind, message };
  const reset = resetOf({ ...signs, text });
  const latest = now.getTime() + LONGEST_WAIT_MS;
  if (reset && reset > now) {
    return { kind, message, until: new Date(Math.min(reset.getTime(), latest)) };
  }
  if (kind === 'rate_limited' || NO_MONEY.test(text)) return { kind, message };
  return { kind, message, until: new Date(now.getTime() + UNTOLD_LIMIT_MS) };
}
