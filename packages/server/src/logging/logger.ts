export interface Logger {
  error(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  debug(message: string, fields?: Record<string, unknown>): void;
}

export interface LogOptions {
  process: string;
  level: string;
  format: 'json' | 'pretty';
}

export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { cause: String(error) };
  return { cause: error.message, stack: error.stack };
}
