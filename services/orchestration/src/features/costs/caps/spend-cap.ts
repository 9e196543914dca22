import { ask, select, statement, uniqueViolation } from '@switchyard/db';
import { conflict, notFound, type Reply } from '@switchyard/server';
import type {
  ListSpendCapsQuery,
  SpendCapPeriod,
  SpendCapScope,
  SpendCapView,
} from '@switchyard/types';
import { assertOwner } from '../../../access/rules';
import type { Call, Tx } from '../../../kernel/call';
import { newestFirstList } from '../../../lists/newest-first';
import { budgetUse } from '../../../state/budgets/budget-use';
import { isReservedInSql } from '../../../state/budgets/spend-caps';
import { reservedCents } from '../../../state/budgets/spent';

export const NEW_CAP = {
  id: 'uuid',
  companyId: 'uuid',
  scope: 'text',
  scopeId: 'uuid',
  period: 'text',
  cents: 'bigint',
} as const;

const SPEND_CAP = { ...NEW_CAP, createdAt: 'time', updatedAt: 'time' } as const;

const readCaps = newestFirstList(
  'list-spend-caps',
  {
    table: 'spend_cap',
    gives: SPEND_CAP,
    derived: {
      spentCents: [
        'bigint',
        'spent_since(listed.company_id, listed.scope, listed.scope_id, period_start(listed.period))',
      ],
      reservedCents: [
        'bigint',
        reservedCents(`v.company_id = listed.company_id AND ${isReservedInSql('listed')}`),
      ],
    },
    filters: {
      scope: 'scope',
      scopeId: { type: 'uuid', where: (id) => `listed.scope_id = ${id}` },
    },
  },
  (row): SpendCapView => ({
    ...row,
    ...budgetUse(row.spentCents, row.cents),
    scope: row.scope as SpendCapScope,
    period: row.period as SpendCapPeriod,
  }),
);

export const listSpendCaps = (
  { db, companyId }: Call,
  query: ListSpendCapsQuery,
): Promise<Reply<SpendCapView[]>> => readCaps(db, { ...query, companyId });

export async function readSpendCap(tx: Tx, id: string): Promise<SpendCapView> {
  const [cap] = await readCaps.byIds(tx, tx.companyId, [id]);
  if (!cap) throw notFound('spending cap');
  return cap;
}

export async function lockSpendCap(tx: Tx, capId: string) {
  const [cap] = await ask(tx, lockCap, { capId });
  if (!cap) throw notFound('spending cap');
  assertMayCap(tx, cap.scope);
  return cap;
}

export function assertMayCap({ actor, companyId }: Tx, scope: string): void {
  if (scope === 'company') assertOwner(actor, companyId);
}

export const asTaken = (scope: string, period: string) => (error: unknown) => {
  if (uniqueViolation(error) === null) throw error;
  const message = `the ${scope} already has a spending cap with the period ${period}: change that cap`;
  throw conflict('conflict', message, { field: 'period' });
};

export const recordedCap = ({
  scope,
  scopeId,
  period,
  cents,
}: Pick<SpendCapView, 'scopeId' | 'cents'> & { scope: string; period: string }) => ({
  scope,
  scopeId,
  period,
  cents,
});

const lockCap = statement('lock-spend-cap', {
  takes: { capId: 'uuid' },
  gives: SPEND_CAP,
  sql: ({ capId }) =>
    `SELECT ${select(SPEND_CAP, 's')} FROM spend_cap s WHERE s.id = ${capId} FOR UPDATE`,
});
