import { setTimeout as delay } from 'node:timers/promises';
import { openPool } from '../pool';
import { assertSchemaVersion, type SCHEMA_VERSION } from './schema-version';

const ASK_AGAIN_MS = 1_000;

export interface AwaitOptions {
  url: string;
  product: keyof typeof SCHEMA_VERSION;
  deadlineMs: number;
  onWait(reason: string): void;
}

export async function awaitSchema({
  url,
  product,
  deadlineMs,
  onWait,
}: AwaitOptions): Promise<void> {
  const until = performance.now() + deadlineMs;
  const pool = openPool({
    url,
    size: 1,
    applicationName: 'switchyard-await-schema',
    onIdleError: () => undefined,
  });
  try {
    for (let said = ''; ; await delay(ASK_AGAIN_MS)) {
      const reason = await assertSchemaVersion(pool, product).then(
        () => null,
        (error: Error) => error.message || String(error),
      );
      if (reason === null) return;
      if (performance.now() > until) throw new Error(reason);
      if (reason !== said) onWait(reason);
      said = reason;
    }
  } finally {
    await pool.end();
  }
}
