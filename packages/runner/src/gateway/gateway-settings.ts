import { isAbsolute } from 'node:path';
import { readTextFile } from '@switchyard/settings';
import { z } from 'zod';
import { allowedHosts } from '../network/allowed-hosts';
import type { Provider } from './origins/providers';

const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const OPEN_PATH = /^(?:\/[\w.~:-]+)+$/;
const HEADER = /^[A-Za-z0-9-]{1,64}$/;
const RESERVED = /^(?:host|connection|content-.*|transfer-encoding|cookie|expect|te|upgrade)$/i;

const provider = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http(s):// URL' })
    .refine(hasNoExtras, 'must not contain a user name, password, query or fragment'),
  header: z
    .string()
    .regex(HEADER, 'must be the name of a header')
    .refine((name) => !RESERVED.test(name), 'must be a header that can contain an API key'),
  value: z.string().max(16_384).regex(VALUE, 'must be valid as a header value'),
  paths: z
    .array(z.string().max(200).regex(OPEN_PATH, 'must be a path such as /v1/files'))
    .max(50)
    .optional(),
  streamOptions: z.boolean().optional(),
});

const providers = z.record(
  z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be a name of lower-case letters, digits and -')
    .refine(
      (name) => name !== 'service',
      'must not be service, a name that the server reserves for its own variables',
    ),
  provider,
);

/** Only the runner reads these settings, because they contain the providers' keys. */
export const gatewayEnvironment = {
  AGENT_ALLOWED_HOSTS: allowedHosts.describe(
    'runner: private hosts and additional ports that agents may reach: `host[:port]`, or `host[:port]@companyId`',
  ),
  GATEWAY_PROVIDERS: z
    .string()
    .default('{}')
    .transform(readProviders)
    .describe(
      'runner: model providers whose keys agents do not receive, as JSON or the absolute path of a file with it (docs/egress.md)',
    ),
};

const schema = z.object(gatewayEnvironment);

export interface GatewaySettings {
  allowedHosts: string[];
  providers: Record<string, Provider>;
}

export function gatewaySettings(env: z.output<typeof schema>): GatewaySettings {
  return { allowedHosts: env.AGENT_ALLOWED_HOSTS, providers: env.GATEWAY_PROVIDERS };
}

function hasNoExtras(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}

function readProviders(text: string, context: z.RefinementCtx): Record<string, Provider> {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  let json: unknown;
  try {
    json = JSON.parse(isAbsolute(text) ? readTextFile(text) : text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refuse(
      code
        ? `must name a readable file (${code})`
        : 'must be JSON, or the absolute path of a file that contains JSON',
    );
  }
  const read = providers.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return refuse(`${issue?.path.join('.') || 'the whole value'}: ${issue?.message}`);
}
