import { parseExactly } from '@switchyard/server';
import { jsonObject, type SigningMode } from '@switchyard/types';

type JsonObject = Record<string, unknown>;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded$/i;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns a JSON object unchanged. Wraps other content, and JSON that the database would change, as
 * JSON, text or base64. Reads only the field `payload` from forms of GitHub and Slack. Returns null
 * for an empty body.
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

function parsed(sent: string): unknown {
  try {
    return parseExactly(sent.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
