import { ask, select, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { Tx } from '../../kernel/call';

export const LABEL = {
  id: 'uuid',
  companyId: 'uuid',
  name: 'text',
  color: 'text?',
  createdAt: 'time',
} as const;

export async function lockLabel(tx: Tx, labelId: string) {
  const [label] = await ask(tx, lock, { labelId });
  if (!label) throw notFound('label');
  return label;
}

export async function changeLabel(
  tx: Tx,
  label: { id: string; name: string; key: string; color: string | null },
) {
  const [written] = await ask(tx, update, label);
  if (!written) throw notFound('label');
  return written;
}

export async function removeLabel(tx: Tx, labelId: string): Promise<void> {
  await ask(tx, remove, { labelId });
}

const ROW = { ...LABEL, key: 'text' } as const;

const lock = statement('lock-label', {
  takes: { labelId: 'uuid' },
  gives: ROW,
  sql: ({ labelId }) =>
    `SELECT ${select(ROW, 'l')} FROM label l WHERE l.id = ${labelId} FOR UPDATE`,
});

const update = statement('update-label', {
  takes: { id: 'uuid', name: 'text', key: 'text', color: 'text?' },
  gives: ROW,
  sql: (p) => `
    UPDATE label l SET name = ${p.name}, key = ${p.key}, color = ${p.color} WHERE l.id = ${p.id}
    RETURNING ${select(ROW, 'l')}`,
});

const remove = statement('delete-label', {
  takes: { labelId: 'uuid' },
  gives: {},
  sql: ({ labelId }) => `DELETE FROM label WHERE id = ${labelId}`,
});
