import { ask, statement } from '@switchyard/db';
import type { Tx } from '../../../kernel/call';
import { isHeldBySql, TICKET, type Ticket } from './held-runs';

export async function advanceUsage(
  tx: Tx<string | null>,
  ticket: Ticket,
  seq: number,
): Promise<boolean> {
  const rows = await ask(tx, advance, { ...ticket, seq });
  return rows.length > 0;
}

const advance = statement('advance-usage', {
  takes: { ...TICKET, seq: 'int' },
  gives: { id: 'uuid' },
  sql: (p) => `
    UPDATE heartbeat_run r SET usage_seq = ${p.seq}
    WHERE ${isHeldBySql('r', p)} AND r.status = 'running' AND r.usage_seq = ${p.seq} - 1
    RETURNING r.id`,
});
