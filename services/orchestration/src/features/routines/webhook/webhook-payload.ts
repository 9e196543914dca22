import { parseExactly } from '@switchyard/server';
import { jsonObject, type SigningMode } from '@switchyard/types';

type JsonObject = Record<string, unknown>;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded$/i;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * What a webhook's body is kept as. A JSON object, where the body says that it is JSON or says nothing of use, is
 * the payload; all else, and JSON that the database would not give back as it came, is wrapped as JSON, text or
 * base64. GitHub and Slack may send their JSON as the field `payload` of a form; then it is that. A number that JavaScript cannot
 * hold, such as an id beyond 2^53, becomes a string of its digits. Null for an empty body.
 */
export function webhookPayload(
  bytes: Buffer,
  header: string | undefined,
  signingMode: SigningMode,
): JsonObject | null {
  if (bytes.length === 0) return null;
  const contentType = header?.slice(0, 200).replace(/[^\x20-\x7e]/g, '') ?? null;
  const mediaType = contentType?.split(';')[0]?.trim() ?? '';
  const text = textOf(bytes);
  if (text === null) return { contentType, encoding: 'base64', body: bytes.toString('base64') };
  // `curl -d` calls everything a form that it is not told to call otherwise.
  const mayBeJson = mediaType === '' || JSON_TYPE.test(mediaType) || FORM_TYPE.test(mediaType);
  const isForm = FORM_TYPE.test(mediaType) && FORM_SENDERS.has(signingMode);
  const body = mayBeJson ? parsed((isForm && fieldOf(text)) || text) : undefined;
  if (isKept(body)) return body;
  return body !== undefined && isKept({ body })
    ? { contentType, encoding: 'json', body }
    : { contentType, encoding: 'text', body: text };
}

function textOf(bytes: Buffer): string | null {
  try {
    const text = strict.decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

const FORM_SENDERS: ReadonlySet<SigningMode> = new Set(['github', 'slack']);

const fieldOf = (form: string) => new URLSearchParams(form).get('payload');

const isKept = (value: unknown): value is JsonObject => jsonObject.safeParse(value).success;

/** Undefined for text that is not JSON. Ignores the byte order mark that .NET writes. */
function parsed(sent: string): unknown {
  try {
    return parseExactly(sent.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
