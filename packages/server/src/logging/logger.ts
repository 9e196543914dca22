export interface Logger {
  error(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  debug(message: string, fields?: Record<string, unknown>): void;
}

export interface LogOptions {
  /** Included in every line. */
  process: string;
  /** Lowest level that is written: `error`, `warn`, `info` or `debug`. */
  level: string;
  format: 'json' | 'pretty';
}

/** Writes nothing; for tests. */
export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/** Returns the fields of a thrown value for a log line. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { cause: String(error) };
  return { cause: error.message, stack: error.stack };
}
