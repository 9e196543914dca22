import { openPool } from '@switchyard/db';
import { errorFields, logRepeated } from '@switchyard/server';
import { createBackfill } from '../candles/backfill';
import { createCandleCache, keepAhead } from '../candles/candles';
import type { Resources } from '../resources';
import { claimCollection, ownerOf } from './claim-collection';
import { type Collected, type Collecting, type CollectorState, collect } from './collect';
import type { CollectRequest } from './collect-contract';
import { createCounters } from './counters';
import { type Gathered, gather, type Wanted } from './gather';
import { storeCollection } from './store-collection';
import { createTurns } from './turns/turns';

export interface Collector {
  collect(request: CollectRequest): Promise<Collected>;
  gather(wanted: Wanted, of: Resources): Promise<Gathered>;
  store(gathered: Gathered, source: string, of: Resources): Promise<string>;
  state(): Readonly<CollectorState>;
  keepCandles(gathered: Gathered, of: Resources): void;
  forgetCandles(): void;
  close(): Promise<void>;
}

const LOCK_CONNECTIONS = 10;

export function createCollector(resources: Resources, accounts: readonly Resources[]): Collector {
  const { config, logger } = resources;
  const collecting: Collecting = {
    ...resources,
    accounts: accounts.map((account) => ({ ...account, backfill: createBackfill(account) })),
    locks: openPool({
      url: config.databaseUrl,
      onIdleError: (error) =>
        logRepeated(logger, 'warn', 'a database connection was lost', errorFields(error)),
      size: LOCK_CONNECTIONS,
      applicationName: 'switchyard-metrics-locks',
    }),
    turns: createTurns(),
    candles: createCandleCache(),
    counters: createCounters(resources.registry),
    state: { running: 0, lastSuccessAt: null },
  };
  const underWay = new Map<string, Promise<Collected>>();
  return {
    collect: async (request) => {
      const id = request.collection_id;
      if (!id) return collect(collecting, request);
      const same = underWay.get(id);
      if (same) {
        const joined = await same;
        return { ...joined, replayed: joined.status === 200 && !joined.reused };
      }
      const own = collect(collecting, request).finally(() => underWay.delete(id));
      underWay.set(id, own);
      return own;
    },
    gather: (wanted, { account, exchange, config: own }) =>
      gather(
        { ...collecting, account, exchange, config: own },
        wanted,
        AbortSignal.timeout(config.collectionTimeoutMs),
      ),
    store: async (gathered, source, of) => {
      const claim = await claimCollection({ ...collecting, ...ownerOf([of]) }, { source });
      if (!claim) throw new Error('a generated collection id is already in use');
      const parts = [{ resources: of, gathered }];
      await storeCollection(collecting, claim, parts, { source, isForDashboard: false });
      return claim.collectionId;
    },
    state: () => collecting.state,
    keepCandles: (gathered, { exchange }) =>
      keepAhead(collecting.candles, exchange, gathered.candles),
    forgetCandles: () => {
      collecting.candles.stored.clear();
      collecting.candles.ahead.clear();
    },
    close: () => collecting.locks.end(),
  };
}
