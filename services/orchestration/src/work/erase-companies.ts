import { type Loop, repeat } from '@switchyard/async';
import { eraseFiles } from '../features/attachments/storage/erase-files';
import { removeDeletedFolders } from '../features/runs/sweep/remove-homes';
import type { Context } from '../kernel/context';
import { findUnerased } from '../state/companies/deleted';
import { eraseCompany, eraseData } from '../state/companies/erase-company';
import { guarded } from './sweeps';

const EVERY_MS = 1_000;
const AFTER_FAILURE_MS = 60_000;
const LATE_MS = 3_600_000;

export function startErasing(context: Context): Loop {
  return repeat(async (closing) => {
    const erase = async () => {
      await eraseCompanies(context, closing);
      return EVERY_MS;
    };
    return (await guarded(context, 'deleted companies', erase, LATE_MS)) ?? AFTER_FAILURE_MS;
  });
}

export async function eraseCompanies(
  context: Pick<Context, 'config' | 'db' | 'files'>,
  closing?: AbortSignal,
): Promise<void> {
  const { db } = context;
  const isOver = () => closing?.aborted === true;
  const failures: unknown[] = [];
  for (const companyId of await findUnerased(db)) {
    const erase = async () => {
      await eraseData(db, companyId, isOver);
      await eraseFiles(context, companyId, isOver);
      await removeDeletedFolders(context);
      await eraseCompany(db, companyId, isOver);
    };
    await erase().catch((error: unknown) => failures.push(error));
    if (isOver()) return;
  }
  if (failures.length > 0) throw failures[0];
}
