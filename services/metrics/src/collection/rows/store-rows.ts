import { isRowRefused, type Sql } from '@switchyard/db';
import { errorFields, type Logger } from '@switchyard/server';
import { type FetchedCandles, storeCandles } from '../../candles/candles';
import { type ExchangeFailure, malformed } from '../../exchange/failure';
import type { Kind, Storing } from '../../kinds/kind';
import type { WebhookEvent } from '../../webhooks/outbox';

export interface StoredRows {
  keys: string[];
  failures: ExchangeFailure[];
}

export interface RowStore {
  rows(kind: Kind, storing: Storing, seen: readonly unknown[]): Promise<StoredRows>;
  candles(
    tx: Sql,
    exchange: string,
    fetched: readonly FetchedCandles[],
  ): Promise<ExchangeFailure[]>;
}

export const TOGETHER: RowStore = {
  rows: async (kind, storing, seen) => ({ keys: await kind.store(storing, seen), failures: [] }),
  candles: async (tx, exchange, fetched) => {
    await storeCandles(tx, exchange, fetched);
    return [];
  },
};

export function createApart(logger: Logger): RowStore {
  const attempt = async <T>(
    tx: Sql,
    target: string,
    write: () => Promise<T>,
  ): Promise<T | null> => {
    await tx.query('SAVEPOINT row');
    try {
      return await write();
    } catch (error) {
      if (!isRowRefused(error)) throw error;
      await tx.query('ROLLBACK TO SAVEPOINT row');
      logger.warn('a row of a collection could not be stored', { target, ...errorFields(error) });
      return null;
    }
  };
  return {
    rows: async (kind, storing, seen) => {
      const stored: StoredRows = { keys: [], failures: [] };
      const named = seen.map((one) => ({ one, target: kind.targetOf(one) }));
      for (const { one, target } of named.sort((a, b) => (a.target < b.target ? -1 : 1))) {
        const events: WebhookEvent[] = [];
        const announce = (event: WebhookEvent) => void events.push(event);
        const store = () => kind.store({ ...storing, announce }, [one]);
        const keys = await attempt(storing.tx, target, store);
        if (keys === null) {
          stored.failures.push(refused(target));
          continue;
        }
        stored.keys.push(...keys);
        for (const event of events) storing.announce(event);
      }
      return stored;
    },
    candles: async (tx, exchange, fetched) => {
      const failures: ExchangeFailure[] = [];
      for (const one of fetched) {
        const store = async () => {
          await storeCandles(tx, exchange, [one]);
          return true;
        };
        if (!(await attempt(tx, one.symbol, store))) failures.push(refused(one.symbol));
      }
      return failures;
    },
  };
}

const refused = (target: string): ExchangeFailure =>
  malformed(target, 'the row was left out, because the database rejected it');
