import { isSecretName } from './secret-names';

const BEARER = /\b(Bearer\s+)[A-Za-z0-9._~+/=-]{8,}/g;
/**
 * Matches only at a word's start, because a long word of repeated `eyJ` would otherwise take
 * quadratic time.
 */
const JSON_WEB_TOKEN = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g;
const AGENT_KEY = /\bswy_[A-Za-z0-9_-]{16,}/g;
const INVITE = /\b(invites?[/=])[\w-]{16,}/g;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:)[^\s@/]{1,500}(@)/gi;
const MAX_DEPTH = 6;

function redactText(text: string): string {
  return text
    .replace(BEARER, '$1***')
    .replace(JSON_WEB_TOKEN, '***')
    .replace(AGENT_KEY, '***')
    .replace(INVITE, '$1***')
    .replace(URL_PASSWORD, '$1***$2');
}

const mayHide = (value: unknown) => Boolean(value) && value !== true;
const isCount = (name: string, value: unknown) =>
  typeof value === 'number' && /tokens$/i.test(name);

export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redact(item, depth + 1));
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Error) return { message: redactText(value.message), name: value.name };
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isSecretName(key) && mayHide(item) && !isCount(key, item) ? '***' : redact(item, depth + 1),
    ]),
  );
}
