import { jsonObject } from '@switchyard/types';

export interface WebhookPayload extends Record<string, unknown> {
  contentType: string | null;
  encoding: 'json' | 'text' | 'base64';
  body: unknown;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded$/i;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer): string | null {
  try {
    const text = strict.decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Null for what is no JSON, and for JSON that the database would not give back as it came. */
function jsonOf(text: string): { body: unknown } | null {
  try {
    const wrapped = { body: JSON.parse(text) as unknown };
    return jsonObject.safeParse(wrapped).success ? wrapped : null;
  } catch {
    return null;
  }
}

/**
 * What a webhook's body is kept as: JSON where it says so or says nothing and is JSON, else text, else
 * base64; nothing of it is lost. Null for an empty body.
 */
export function webhookPayload(bytes: Buffer, header: string | undefined): WebhookPayload | null {
  if (bytes.length === 0) return null;
  const contentType = header?.slice(0, 200).replace(/[^\x20-\x7e]/g, '') ?? null;
  const mediaType = contentType?.split(';')[0]?.trim() ?? '';
  const text = textOf(bytes);
  if (text === null) return { contentType, encoding: 'base64', body: bytes.toString('base64') };
  const mayBeJson = mediaType === '' || JSON_TYPE.test(mediaType) || FORM_TYPE.test(mediaType);
  const json = mayBeJson ? jsonOf(text) : null;
  return json
    ? { contentType, encoding: 'json', body: json.body }
    : { contentType, encoding: 'text', body: text };
}
