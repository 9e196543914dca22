import type { Clock } from '@switchyard/async';
import type { OpenDatabase, Pool } from '@switchyard/db';
import type { connectShared, Hints, Nudges, QueueConnections } from '@switchyard/queue';
import type { ModelCatalog } from '@switchyard/runner/models/model-catalog';
import type { Logger, RecordRefusal } from '@switchyard/server';
import type { AdapterRegistry } from '../adapters/agents/adapter-registry';
import type { FileStore } from '../adapters/file-store/file-store';
import type { SecretBox } from '../adapters/secret-box/secret-box';
import type { Config } from '../config';
import type { Metrics } from './metrics';

export interface Context {
  config: Config;
  /** The clock of this process; stored times come from the database clock. */
  clock: Clock;
  logger: Logger;
  db: OpenDatabase;
  probePool: Pool;
  /**
   * A pool of one connection, for statements that commit immediately while the caller's transaction
   * is open.
   */
  numbering: OpenDatabase;
  poolStallMs: () => number;
  queues: QueueConnections;
  shared: ReturnType<typeof connectShared>;
  nudges: Nudges;
  hints: Hints;
  adapters: AdapterRegistry;
  models: ModelCatalog;
  secretBox: SecretBox;
  files: FileStore;
  metrics: Metrics;
  recordRefusal: RecordRefusal;
  parts: Map<unknown, unknown>;
  onClose(close: () => Promise<void>): void;
  close(): Promise<void>;
}

export function partOf<Part>(open: (context: Context) => Part): (context: Context) => Part {
  return (context) => {
    if (!context.parts.has(open)) context.parts.set(open, open(context));
    return context.parts.get(open) as Part;
  };
}
