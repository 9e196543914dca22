import { readFileSync } from 'node:fs';
import { readTextFile, resolveVariables } from '@switchyard/settings';
import { z } from 'zod';

export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/**
 * Treats an empty variable as absent, so that `NAME=` in a file means the default.
 * @throws EnvironmentError naming every variable that is missing or invalid
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: Record<string, string | undefined>,
): z.output<Schema> {
  const { variables, problems } = resolveVariables(environment);
  const parsed = schema.safeParse(variables);
  const isUsable = Object.keys(problems).length === 0;
  if (parsed.success && isUsable) return parsed.data;
  const found = parsed.error?.issues ?? [];
  const lines = found.flatMap(({ path, message }) => {
    const name = String(path[0]);
    if (`${name}_FILE` in problems) return [];
    const isMissing = !(name in variables);
    return [`  ${path.join('.')}: ${isMissing ? 'is missing' : message}`];
  });
  const refused = Object.entries(problems).map(([name, problem]) => `  ${name}: ${problem}`);
  throw new EnvironmentError(
    `The environment is not usable:\n${[...refused, ...lines].join('\n')}`,
  );
}

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.int().max(65_535));

export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

export const commaSeparated = z.string().transform((list) =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
);

const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** Checks the files that the URL's parameters name; each new connection reads them again. */
export const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' })
  .check(({ value, issues }) => {
    for (const name of TLS_FILES) {
      const path = new URL(value).searchParams.get(name);
      const code = path && codeOf(() => readFileSync(path));
      if (code) {
        issues.push({ code: 'custom', input: value, message: `${name} cannot be read (${code})` });
      }
    }
  });

export const fileText = z.string().transform((path, { issues, value }) => {
  let text = '';
  const code = codeOf(() => {
    text = readTextFile(path);
  });
  if (code) issues.push({ code: 'custom', input: value, message: `cannot be read (${code})` });
  return text;
});

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

export const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];

export const commonEnvironment = {
  LOG_LEVEL: z
    .enum(['error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('`error`, `warn`, `info` or `debug`'),
  LOG_FORMAT: z
    .enum(['json', 'pretty'])
    .optional()
    .describe('`json` or `pretty`; default: `json` if NODE_ENV is `production`'),
  NODE_ENV: z.string().optional(),
  HOST: z.string().default('127.0.0.1').describe('address to listen on; local mode: loopback'),
  DATABASE_URL: databaseUrl.describe(
    'postgresql://user:password@host:5432/name; one database per service',
  ),
  DATABASE_POOL_SIZE: wholeNumber(2, 200).default(10).describe('connections per process'),
  SHUTDOWN_GRACE_SEC: wholeNumber(1, 600)
    .default(20)
    .describe('maximum seconds for a stop; the platform must wait longer'),
  /**
   * OpenTelemetry itself reads this variable and its other `OTEL_*` variables; setting any of them
   * enables traces.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be a URL' })
    .optional()
    .describe('address that receives traces; any `OTEL_*` variable enables tracing'),
  OTEL_SEMCONV_STABILITY_OPT_IN: z
    .string()
    .optional()
    .describe('`gen_ai_latest_experimental`: traces also describe runs, model calls and MCP calls'),
};
