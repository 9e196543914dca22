import type { TextMask } from '@switchyard/runner/masking/output-masking';
import type { z } from 'zod';

function maskTexts(value: unknown, mask: TextMask): unknown {
  if (typeof value === 'string') return mask(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const masked = value.map((each) => maskTexts(each, mask));
    return masked.every((each, at) => each === value[at]) ? value : masked;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value);
  const masked = fields.map(([name, each]) => [name, maskTexts(each, mask)] as const);
  const isSame = masked.every(([, each], at) => each === fields[at]?.[1]);
  return isSame ? value : Object.fromEntries(masked);
}

/** Masks strings at any depth, except in fields whose schema would reject the mask, e.g. enums. */
export function maskBody(schema: z.ZodType | undefined, body: unknown, mask: TextMask): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    return maskTexts(body, mask);
  }
  const masked = maskTexts(body, mask) as Record<string, unknown>;
  if (masked === body || !schema || schema.safeParse(masked).success) return masked;
  const fields = Object.entries(body).map(([name, value]) => {
    const isTaken = schema.safeParse({ ...body, [name]: masked[name] }).success;
    return [name, isTaken ? masked[name] : value];
  });
  return Object.fromEntries(fields);
}

export function withCredential(mask: TextMask | null, credential: string | null): TextMask | null {
  if (credential === null) return mask;
  return (text) => {
    const rest = text.includes(credential) ? text.replaceAll(credential, '***') : text;
    return mask ? mask(rest) : rest;
  };
}
