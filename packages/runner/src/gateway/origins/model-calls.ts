const BEFORE = String.raw`(?:/v\d+(?:beta)?\d*|(?:/openai)?/deployments/[^/?]+)?`;
const pathsOf = (...patterns: string[]) => new RegExp(`^${BEFORE}/(?:${patterns.join('|')})$`);
const CALLS = pathsOf(
  'messages',
  'responses(?:/compact)?',
  'chat/completions',
  'completions',
  'embeddings',
  'models/[^/?:]+:(?:generateContent|streamGenerateContent|embedContent)',
);
const COUNTS = pathsOf(
  'messages/count_tokens',
  'responses/input_tokens',
  'models/[^/?:]+:countTokens',
);
const MAX_NAME = 200;
const MODELS = new RegExp(`^${BEFORE}/models(?:/[^?]+)?$`);

/**
 * Allows calls of a model, counting of tokens and listing of models. Companies that share a key
 * also share the provider's other data (files, batches, stored responses), so only the operator's
 * `paths` allow it.
 * @param path after `baseUrl`, with its query
 * @param more paths that the operator allows for GET and POST, with all paths below them
 */
export function isOpenCall(method: string, path: string, more: readonly string[]): boolean {
  const bare = withoutQuery(path);
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return false;
  if (more.some((one) => bare === one || bare.startsWith(`${one}/`))) return true;
  return method === 'POST' ? CALLS.test(bare) || COUNTS.test(bare) : MODELS.test(bare);
}

export const isModelCall = (path: string) => CALLS.test(withoutQuery(path));

const COMPLETIONS = pathsOf('chat/completions', 'completions');

export const reportsUsageOnRequest = (path: string) => COMPLETIONS.test(withoutQuery(path));

const EMBEDDINGS = pathsOf('embeddings', 'models/[^/?:]+:embedContent');

export const hasOutput = (path: string) => !EMBEDDINGS.test(withoutQuery(path));

const NAMED_BY_PATH = /\/(?:models|deployments)\/([^/:?]+)/;

export function requestedModel(path: string, body: Buffer): string | null {
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
