import { type Client, connectAlone } from '@switchyard/db';
import { errorFields, type Logger, logRepeated } from '@switchyard/server';

type AbortReason = 'cancelled' | 'lost' | 'handed_over' | 'given_up';

export interface TrackedRun {
  readonly id: string;
  readonly signal: AbortSignal;
  abortReason(): AbortReason | null;
  abort(reason: AbortReason): void;
  release(): void;
}

export interface Leases {
  track(run: { id: string; epoch: number }): TrackedRun;
  tracked(): TrackedRun[];
  abortAll(reason: AbortReason): void;
  close(): Promise<void>;
}

const RENEW = `
  UPDATE heartbeat_run r SET lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond'
  FROM unnest($1::uuid[], $2::int[]) AS mine(id, epoch)
  WHERE r.id = mine.id AND r.epoch = mine.epoch AND r.status = 'running' AND NOT r.is_detached
  RETURNING r.id, r.cancel_requested_at IS NOT NULL AS cancelled`;

interface Entry extends TrackedRun {
  id: string;
  epoch: number;
  /** Time of the monotonic clock in ms until which the lease is certainly valid. */
  sureUntil: number;
}

function createEntry(
  run: { id: string; epoch: number },
  sureUntil: number,
  forget: (entry: Entry) => void,
) {
  const controller = new AbortController();
  let reason: AbortReason | null = null;
  const entry: Entry = {
    id: run.id,
    epoch: run.epoch,
    sureUntil,
    signal: controller.signal,
    abortReason: () => reason,
    abort: (why) => {
      reason ??= why;
      controller.abort();
    },
    release: () => forget(entry),
  };
  return entry;
}

/**
 * Renews all leases with one statement on a separate connection, so that an exhausted pool does not
 * look like a dead worker. Aborts cancelled and lost runs, and all runs if the database is
 * unavailable for the length of a lease.
 */
export function openLeases(options: { url: string; leaseMs: number; logger: Logger }): Leases {
  const { leaseMs, logger } = options;
  const entries = new Set<Entry>();
  let client: Client | null = null;
  let closed = false;
  let ending: AbortReason | null = null;

  const connected = async (): Promise<Client> => {
    if (client) return client;
    const fresh = await connectAlone({
      url: options.url,
      applicationName: 'switchyard-leases',
      timeoutMs: leaseMs,
      onLost: () => {
        client = null;
      },
    });
    client = fresh;
    return fresh;
  };

  const renew = async (): Promise<void> => {
    const mine = [...entries];
    if (mine.length === 0) return;
    const asked = performance.now();
    const database = await connected();
    const { rows } = await database.query<{ id: string; cancelled: boolean }>(RENEW, [
      mine.map((entry) => entry.id),
      mine.map((entry) => entry.epoch),
      leaseMs,
    ]);
    const renewed = new Map(rows.map((row) => [row.id, row.cancelled]));
    for (const entry of mine) {
      const cancelled = renewed.get(entry.id);
      if (cancelled === undefined) entry.abort('lost');
      else if (cancelled) entry.abort('cancelled');
      entry.sureUntil = asked + leaseMs;
    }
  };

  const tick = async (): Promise<void> => {
    await renew().catch((error: unknown) => {
      logRepeated(logger, 'warn', 'leases could not be renewed', errorFields(error));
      client?.end().catch(() => undefined);
      client = null;
    });
    for (const entry of entries) if (performance.now() > entry.sureUntil) entry.abort('lost');
    if (!closed) timer = setTimeout(() => void tick(), leaseMs / 3);
  };
  let timer = setTimeout(() => void tick(), leaseMs / 3);

  return {
    track: (run) => {
      const entry = createEntry(run, performance.now() + leaseMs, (gone) => entries.delete(gone));
      entries.add(entry);
      if (ending) entry.abort(ending);
      return entry;
    },
    tracked: () => [...entries],
    abortAll: (reason) => {
      ending = reason;
      for (const entry of entries) entry.abort(reason);
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
