/** Optional part of a path: a version, or Azure's deployment. */
const BEFORE = String.raw`(?:/v\d+(?:beta)?\d*|(?:/openai)?/deployments/[^/?]+)?`;
const pathsOf = (...asked: string[]) => new RegExp(`^${BEFORE}/(?:${asked.join('|')})$`);
const CALLS = pathsOf(
  'messages',
  'responses(?:/compact)?',
  'chat/completions',
  'completions',
  'embeddings',
  'models/[^/?:]+:(?:generateContent|streamGenerateContent|embedContent)',
);
/** Counting tokens is free. */
const COUNTS = pathsOf(
  'messages/count_tokens',
  'responses/input_tokens',
  'models/[^/?:]+:countTokens',
);
const MAX_NAME = 200;
const MODELS = new RegExp(`^${BEFORE}/models(?:/[^?]+)?$`);

/**
 * Whether a request asks a model, counts its tokens or lists models. All else that a provider keeps for the account of a key
 * (files, batches, stored answers) is common to the companies that share the key, and opened only by the operator's `paths`.
 * @param path behind `baseUrl`, with its query
 * @param more paths that the operator opens for GET and POST, each with what is below it
 */
export function isOpenCall(method: string, path: string, more: readonly string[]): boolean {
  const bare = withoutQuery(path);
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return false;
  if (more.some((one) => bare === one || bare.startsWith(`${one}/`))) return true;
  return method === 'POST' ? CALLS.test(bare) || COUNTS.test(bare) : MODELS.test(bare);
}

export const isModelCall = (path: string) => CALLS.test(withoutQuery(path));

const COMPLETIONS = pathsOf('chat/completions', 'completions');

/** True if streams report counts only on request. */
export const reportsUsageOnRequest = (path: string) => COMPLETIONS.test(withoutQuery(path));

const NAMED_BY_PATH = /\/(?:models|deployments)\/([^/:?]+)/;

/** From the path or the JSON; null if neither names a model. */
export function modelAsked(path: string, body: Buffer): string | null {
  try {
    const [, named] = NAMED_BY_PATH.exec(withoutQuery(path)) ?? [];
    if (named !== undefined) return decodeURIComponent(named).slice(0, MAX_NAME);
    const { model } = JSON.parse(body.toString('utf8')) as { model?: unknown };
    return typeof model === 'string' && model !== '' ? model.slice(0, MAX_NAME) : null;
  } catch {
    return null;
  }
}

export const isCharged = (method: string, path: string) =>
  method === 'POST' && !COUNTS.test(withoutQuery(path));

const withoutQuery = (path: string) => path.split('?')[0] ?? '';
