export interface Logger {
  error(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  debug(message: string, fields?: Record<string, unknown>): void;
}

export interface LogOptions {
  /** Named in every line. */
  process: string;
  /** The least level that is written: `error`, `warn`, `info` or `debug`. */
  level: string;
  /** JSON lines for machines, one readable line for a person at a terminal. */
  format: 'json' | 'pretty';
}

/** Nothing is written; for tests that look at behaviour alone. */
export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/** The fields of a thrown thing that a log line may carry. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { cause: String(error) };
  return { cause: error.message, stack: error.stack };
}
