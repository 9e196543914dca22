import { isAbsolute } from 'node:path';
import { readTextFile } from '@switchyard/settings';
import { z } from 'zod';
import { allowedHosts } from '../network/allowed-hosts';
import type { Provider } from './origins/providers';
import type { Collector } from './origins/traces';

const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const OPEN_PATH = /^(?:\/[\w.~:-]+)+$/;
const HEADER = /^[A-Za-z0-9-]{1,64}$/;
const RESERVED = /^(?:host|connection|content-.*|transfer-encoding|cookie|expect|te|upgrade)$/i;

const url = z
  .url({ protocol: /^https?$/, error: 'must be an http(s):// URL' })
  .refine(hasNoExtras, 'must not contain a user name, password, query or fragment');
const headerName = z
  .string()
  .regex(HEADER, 'must be the name of a header')
  .refine((name) => !RESERVED.test(name), 'must be a header that can contain an API key');
const headerValue = z.string().max(16_384).regex(VALUE, 'must be valid as a header value');

const provider = z.strictObject({
  baseUrl: url,
  header: headerName,
  value: headerValue,
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

const collector = z.strictObject({ url, headers: z.record(headerName, headerValue).default({}) });

/** Only the runner reads these settings, because they contain the providers' keys. */
export const gatewayEnvironment = {
  AGENT_ALLOWED_HOSTS: allowedHosts.describe(
    'runner: private hosts and additional ports that agents may reach: `host[:port]`, or `host[:port]@companyId`',
  ),
  GATEWAY_PROVIDERS: z
    .string()
    .default('{}')
    .transform(readJson(providers))
    .describe(
      'runner: model providers whose keys agents do not receive, as JSON or the absolute path of a file with it (docs/egress.md)',
    ),
  GATEWAY_TRACES: z
    .string()
    .transform(readJson(collector))
    .optional()
    .describe(
      'runner: collector that receives the traces of agents’ programs, as JSON or the absolute path of a file with it (docs/metrics.md)',
    ),
};

const schema = z.object(gatewayEnvironment);

export interface GatewaySettings {
  allowedHosts: string[];
  providers: Record<string, Provider>;
  collector?: Collector | undefined;
}

export function gatewaySettings(env: z.output<typeof schema>): GatewaySettings {
  return {
    allowedHosts: env.AGENT_ALLOWED_HOSTS,
    providers: env.GATEWAY_PROVIDERS,
    collector: env.GATEWAY_TRACES,
  };
}

function hasNoExtras(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}

function readJson<Schema extends z.ZodType>(schema: Schema) {
  return (text: string, context: z.RefinementCtx): z.output<Schema> => {
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
    const read = schema.safeParse(json);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    return refuse(`${issue?.path.join('.') || 'the whole value'}: ${issue?.message}`);
  };
}
