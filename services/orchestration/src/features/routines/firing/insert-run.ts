import {
  newId,
  type Prisma,
  type RoutineModel,
  type RoutineRunModel,
  type Transaction,
} from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { RoutineRunSource } from '@switchyard/types';

export interface Firing {
  source: RoutineRunSource;
  triggerId: string | null;
  payload: Record<string, unknown> | null;
  idempotencyKey: string | null;
}

/** Puts a firing down that `fireRun` then makes true, in one transaction. */
export async function insertRun(
  tx: Transaction,
  routine: RoutineModel,
  firing: Firing,
): Promise<RoutineRunModel> {
  const { payload, ...columns } = firing;
  return tx.prisma.routineRun.create({
    data: {
      ...columns,
      id: newId(),
      companyId: routine.companyId,
      routineId: routine.id,
      ...(payload && { payload: payload as Prisma.InputJsonObject }),
    },
  });
}

/** @throws ApiError 409 `company_paused`: while a company is paused nothing starts (contract, "Company") */
export async function refusePausedCompany(tx: Transaction, companyId: string): Promise<void> {
  const company = await tx.prisma.company.findUniqueOrThrow({
    where: { id: companyId },
    select: { status: true },
  });
  if (company.status === 'active') return;
  const code = company.status === 'paused' ? 'company_paused' : 'company_archived';
  throw conflict(code, `the company is ${company.status}`, { retry: false });
}
