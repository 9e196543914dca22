import { ask, select, statement } from '@switchyard/db';
import { notFound, type Reply } from '@switchyard/server';
import type { ListRunLimitsQuery, RunLimitView } from '@switchyard/types';
import type { Call, Tx } from '../../../kernel/call';
import { newestFirstList } from '../../../lists/newest-first';
import { runsOfKeySql } from '../../../state/runs/claims/run-limits';

const RUN_LIMIT = {
  id: 'uuid',
  companyId: 'uuid',
  key: 'text',
  maxRunning: 'int',
  isPaused: 'bool',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const readLimits = newestFirstList('list-run-limits', {
  table: 'run_limit',
  gives: RUN_LIMIT,
  derived: {
    running: [
      'int',
      `(SELECT count(*)::int FROM ${runsOfKeySql('listed.company_id', 'listed.key')})`,
    ],
  },
  filters: { key: 'key' },
});

export const listRunLimits = (
  { db, companyId }: Call,
  query: ListRunLimitsQuery,
): Promise<Reply<RunLimitView[]>> => readLimits(db, { ...query, companyId });

export async function readRunLimit(tx: Tx, id: string): Promise<RunLimitView> {
  const [limit] = await readLimits.byIds(tx, tx.companyId, [id]);
  if (!limit) throw notFound('limit');
  return limit;
}

export async function lockRunLimit(tx: Tx, limitId: string) {
  const [limit] = await ask(tx, lockLimit, { limitId });
  if (!limit) throw notFound('limit');
  return limit;
}

export const recordedLimit = ({
  key,
  maxRunning,
  isPaused,
}: Pick<RunLimitView, 'key' | 'maxRunning' | 'isPaused'>) => ({ key, maxRunning, isPaused });

const lockLimit = statement('lock-run-limit', {
  takes: { limitId: 'uuid' },
  gives: RUN_LIMIT,
  sql: ({ limitId }) =>
    `SELECT ${select(RUN_LIMIT, 'l')} FROM run_limit l WHERE l.id = ${limitId} FOR UPDATE`,
});
