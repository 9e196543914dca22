import { unprocessable } from '@switchyard/server';
import type { ImportCompanyBody, ImportReport } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { issueNumbers } from '../../state/issues/issue-numbers';
import { type ImportedFile, parseFiles } from './parse-files';
import { writeFiles } from './write-files';

/**
 * Creates and changes the objects of the files, in one transaction and with the rules of the API.
 * Objects without a file stay unchanged. A plan reports the same without a change.
 * @throws ApiError 400 for a malformed file; 422 `semantic_error` with the refused files
 */
export async function importCompany(call: Call, body: ImportCompanyBody): Promise<ImportReport> {
  const { plan: isPlan = false, activate: activates = false } = body;
  const files = await parseFiles(body.files);
  const plan = await attempt(call, files, activates, 'plan');
  if (isPlan) return plan;
  assertComplete(plan);
  const created = new Set(plan.created);
  const numbers = files.filter(({ kind, path }) => kind === 'issues' && created.has(path));
  const highest = Math.max(0, ...numbers.map(({ slug }) => Number(slug)));
  if (highest > 0) await issueNumbers(call.context).skipTo(call.companyId, highest);
  const report = await attempt(call, files, activates, 'apply');
  assertComplete(report);
  return report;
}

function assertComplete({ refused }: ImportReport): void {
  const [first] = refused;
  if (!first) return;
  const { path, field, message } = first;
  const text = `${field === null ? path : `${path}, ${field}`}: ${message}`;
  throw unprocessable('semantic_error', `nothing was imported: ${text}`, { refused });
}

class RolledBack extends Error {
  constructor(readonly report: ImportReport) {
    super('the import was rolled back');
  }
}

async function attempt(
  call: Call,
  files: ImportedFile[],
  activates: boolean,
  how: 'plan' | 'apply',
): Promise<ImportReport> {
  try {
    return await inTransaction(call, async (tx) => {
      const report = await writeFiles(tx, files, activates);
      if (how === 'plan' || report.refused.length > 0) throw new RolledBack(report);
      return { ...report, applied: true };
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.report;
    throw error;
  }
}
