import { ask, statement } from '@switchyard/db';
import { type ApiError, conflict } from '@switchyard/server';
import type { Call } from '../../kernel/call';

export const storedTextSql = (companyId: string) =>
  `(SELECT coalesce(sum(bytes), 0)::int8 FROM company_text WHERE company_id = ${companyId})`;

/**
 * SQL: true if the quota has room for another `bytes` bytes.
 * A limit of 0 means unlimited.
 */
export const hasTextRoomSql = (p: { companyId: string; textLimit: string }, bytes: string) =>
  `(${p.textLimit} = 0 OR ${storedTextSql(p.companyId)} + ${bytes} <= ${p.textLimit})`;

/**
 * Call in a transaction after storing text. Concurrent transactions do not see each other's text,
 * so together they may exceed the company's quota.
 * @throws ApiError 409 `storage_full`
 */
export async function assertTextFits(call: Pick<Call, 'context' | 'db' | 'companyId'>) {
  await assertTextRoom(call, '');
}

export async function assertTextRoom(
  { context, db, companyId }: Pick<Call, 'context' | 'db' | 'companyId'>,
  text: string,
): Promise<void> {
  const limitBytes = context.config.companyTextBytes;
  if (limitBytes === 0) return;
  const [stored] = await ask(db, readStoredText, { companyId });
  if ((stored?.bytes ?? 0) + Buffer.byteLength(text) > limitBytes) throw textFull(limitBytes);
}

export function textFull(limitBytes: number): ApiError {
  const message = `the company may store at most ${limitBytes} bytes of text: delete documents, or ask the operator to raise COMPANY_TEXT_BYTES`;
  return conflict('storage_full', message, { limitBytes, retry: false });
}

const readStoredText = statement('read-stored-text', {
  takes: { companyId: 'uuid' },
  gives: { bytes: 'bigint' },
  sql: ({ companyId }) => `SELECT ${storedTextSql(companyId)} AS bytes`,
});
