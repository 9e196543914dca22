import { isRowRefused, type Sql } from '@switchyard/db';
import { errorFields, type Logger } from '@switchyard/server';
import { type ExchangeFailure, malformed } from '../../exchange/failure';

export interface StoredRows {
  keys: string[];
  failures: ExchangeFailure[];
}

export type StoreRows = <One>(
  tx: Sql,
  rows: readonly One[],
  targetOf: (one: One) => string,
  write: (rows: readonly One[]) => Promise<string[]>,
) => Promise<StoredRows>;

export const storeTogether: StoreRows = async (_tx, rows, _targetOf, write) => ({
  keys: await write(rows),
  failures: [],
});

export const createStoreApart =
  (logger: Logger): StoreRows =>
  async (tx, rows, targetOf, write) => {
    const stored: StoredRows = { keys: [], failures: [] };
    const named = rows.map((one) => ({ one, target: targetOf(one) }));
    for (const { one, target } of named.sort((a, b) => (a.target < b.target ? -1 : 1))) {
      await tx.query('SAVEPOINT row');
      try {
        stored.keys.push(...(await write([one])));
      } catch (error) {
        if (!isRowRefused(error)) throw error;
        await tx.query('ROLLBACK TO SAVEPOINT row');
        logger.warn('a row of a collection could not be stored', { target, ...errorFields(error) });
        stored.failures.push(malformed(target, REFUSED));
      }
    }
    return stored;
  };

const REFUSED = 'the row was left out, because the database rejected it';
