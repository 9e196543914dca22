/** The part of a path that `baseUrl` may leave out: a version, or Azure's deployment. */
const BEFORE = String.raw`(?:/v\d+(?:beta)?\d*|(?:/openai)?/deployments/[^/?]+)?`;
const ASKED = [
  'messages(?:/count_tokens)?',
  'responses(?:/compact|/input_tokens)?',
  'chat/completions',
  'completions',
  'embeddings',
  'models/[^/?:]+:(?:generateContent|streamGenerateContent|countTokens|embedContent)',
].join('|');
const CALLS = new RegExp(`^${BEFORE}/(?:${ASKED})$`);
const MODELS = new RegExp(`^${BEFORE}/models(?:/[^?]+)?$`);

/**
 * Whether a request asks a model, counts its tokens or lists models. All else that a provider keeps for the account of a key
 * (files, batches, stored answers) is common to the companies that share the key, and opened only by the operator's `paths`.
 * @param path behind `baseUrl`, with its query
 * @param more paths that the operator opens for GET and POST, each with what is below it
 */
export function isModelCall(method: string, path: string, more: readonly string[]): boolean {
  const [bare = ''] = path.split('?');
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return false;
  if (more.some((one) => bare === one || bare.startsWith(`${one}/`))) return true;
  return method === 'POST' ? CALLS.test(bare) : MODELS.test(bare);
}
