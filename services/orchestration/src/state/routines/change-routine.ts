import { newId } from '@switchyard/db';
import type { CreateRoutineBody, UpdateRoutineBody } from '@switchyard/types';
import { createdBy } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import { assertTextFits } from '../companies/text-quota';
import type { LockedRoutine } from './lock-routine';

export async function insertRoutine(tx: Tx, fields: CreateRoutineBody): Promise<string> {
  const { companyId } = tx;
  const data = { ...fields, id: newId(), companyId, ...createdBy(tx) };
  const { id } = await tx.prisma.routine.create({ data, select: { id: true } });
  await assertTextFits(tx);
  const { title, assigneeAgentId } = fields;
  await tx.record('routine.created', id, { title, assigneeAgentId });
  return id;
}

export async function changeRoutine(
  tx: Tx,
  before: LockedRoutine,
  fields: UpdateRoutineBody,
  changed: string[],
): Promise<void> {
  const { id, status: from } = before;
  await tx.prisma.routine.update({ where: { id }, data: fields, select: { id: true } });
  if (changed.includes('title') || changed.includes('description')) await assertTextFits(tx);
  const { status: to = from } = fields;
  await tx.record('routine.updated', id, { changed, ...(to !== from && { from, to }) });
}
