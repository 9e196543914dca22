import type { Sql } from '@switchyard/db';
import { type Decimal, decimal } from '../decimal';

export interface State {
  asset: string;
  openedAt: Date;
  openedUntil: Date;
  checkedAt: Date;
  readUntil: Date;
  opening: Decimal;
  traded: Decimal;
  fees: Decimal;
  transferred: Decimal;
  transferredBefore: Decimal;
  transfersKnown: boolean;
  rounding: Decimal;
  balance: Decimal;
  unexplained: Decimal;
  unexplainedSince: Date | null;
}

export interface Owner {
  exchange: string;
  simulated: boolean;
}

const STATES = `
  SELECT asset, opened_at AS "openedAt", opened_until AS "openedUntil", checked_at AS "checkedAt", read_until AS "readUntil",
    opening, traded, fees, transferred, transferred_before AS "transferredBefore", transfers_known AS "transfersKnown",
    rounding, balance, unexplained, unexplained_since AS "unexplainedSince"
  FROM reconciliation WHERE exchange = $1 AND simulated = $2 AND ($3::text[] IS NULL OR asset = ANY($3))
  ORDER BY asset`;

const DECIMALS = [
  ...(['opening', 'traded', 'fees', 'transferred', 'transferredBefore'] as const),
  ...(['rounding', 'balance', 'unexplained'] as const),
];

export async function readStates(
  sql: Sql,
  { exchange, simulated }: Owner,
  {
    watched = null,
    lock = '',
  }: { watched?: ReadonlySet<string> | null; lock?: 'FOR UPDATE' | '' } = {},
): Promise<Map<string, State>> {
  const values = [exchange, simulated, watched && [...watched]];
  const { rows } = await sql.query<Record<string, string>>(`${STATES} ${lock}`, values);
  return new Map(
    rows.map((row) => {
      const numbers = DECIMALS.map((name) => [name, decimal(row[name] as string)]);
      return [row.asset as string, { ...row, ...Object.fromEntries(numbers) } as State];
    }),
  );
}

export const explained = ({ opening, traded, fees, transferred, rounding }: State): Decimal =>
  opening.plus(traded).minus(fees).plus(transferred).plus(rounding);

const COLUMNS = `asset, opened_at, opened_until, checked_at, read_until, opening, traded, fees, transferred,
  transferred_before, transfers_known, rounding, balance, unexplained, unexplained_since`;
const CHANGING = `checked_at, read_until, traded, fees, transferred, transfers_known, rounding, balance, unexplained,
  unexplained_since`;

export async function writeStates(
  tx: Sql,
  { exchange, simulated }: Owner,
  states: readonly State[],
): Promise<void> {
  const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const rows = states.map((state) =>
    Object.fromEntries(Object.entries(state).map(([name, value]) => [columnOf(name), value])),
  );
  const sorted = rows.sort((one, other) => (String(one.asset) < String(other.asset) ? -1 : 1));
  await tx.query(
    `INSERT INTO reconciliation (exchange, simulated, ${COLUMNS})
     SELECT $1, $2, ${COLUMNS} FROM json_populate_recordset(NULL::reconciliation, $3::json)
     ON CONFLICT (exchange, simulated, asset) DO UPDATE SET (${CHANGING}) = (${CHANGING.replace(/\w+/g, 'excluded.$&')})`,
    [exchange, simulated, JSON.stringify(sorted)],
  );
}
