import {
  agentEnvironment,
  SECRET_REFERENCE,
} from '@switchyard/runner/agents/environment/agent-environment';
import { z } from 'zod';

/**
 * Headers that control the connection. Configured values could smuggle a second request or address
 * another host.
 */
const RESERVED_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const HEADER_NAME = z
  .string()
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a header name')
  .refine(
    (name) => !RESERVED_HEADERS.has(name.toLowerCase()),
    'must not be set, because the connection sets this header',
  );

const HEADER_VALUE = z
  .string()
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be Latin-1 text in one line');

const MAX_HEADER_CHARS = 16_384;

const HTTP_URL = z
  .string()
  .max(4096)
  .refine((text) => URL.canParse(text), { message: 'must be a URL', abort: true })
  .refine((text) => /^https?:$/.test(new URL(text).protocol), 'must be http or https')
  .refine((text) => {
    const { username, password } = new URL(text);
    return username === '' && password === '';
  }, 'must not contain credentials');

const SIGNATURE_HEADER = /^webhook-(id|timestamp|signature)$/i;

/** `timeoutSec` covers connecting, headers and body, and the work after a 202. */
export const httpConfig = z.strictObject({
  url: HTTP_URL,
  method: z.enum(['POST', 'PUT']).default('POST'),
  headers: z
    .record(HEADER_NAME, HEADER_VALUE)
    .refine((headers) => Object.keys(headers).length <= 50, 'must have at most 50 headers')
    .refine(
      (headers) => !Object.keys(headers).some((name) => SIGNATURE_HEADER.test(name)),
      'must not contain webhook-id, webhook-timestamp or webhook-signature: set signingSecret to send them',
    )
    .refine(
      (headers) => Object.values(headers).join('').length <= MAX_HEADER_CHARS,
      `the values must have at most ${MAX_HEADER_CHARS} characters together`,
    )
    .default({}),
  env: agentEnvironment.optional(),
  signingSecret: SECRET_REFERENCE.optional(),
  timeoutSec: z.number().min(1).max(3600).default(300),
});

export type HttpConfig = z.infer<typeof httpConfig>;
