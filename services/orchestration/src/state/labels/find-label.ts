import { ask, statement } from '@switchyard/db';
import type { Call } from '../../kernel/call';

export async function findLabel(call: Call, key: string): Promise<string | null> {
  const [label] = await ask(call.db, findByKey, { companyId: call.companyId, key });
  return label?.id ?? null;
}

const findByKey = statement('find-label', {
  takes: { companyId: 'uuid', key: 'text' },
  gives: { id: 'uuid' },
  sql: (p) => `SELECT id FROM label WHERE company_id = ${p.companyId} AND key = ${p.key}`,
});
