import { ask, type RowOf, statement } from '@switchyard/db';
import { conflict, notFound } from '@switchyard/server';
import type { DeleteCompanyBody, DeletedCompanyView } from '@switchyard/types';
import type { Request } from 'express';
import { assertRecentSignIn } from '../../access/sign-in/recent-sign-in';
import type { BoardActor } from '../../kernel/actor';
import { type Call, inTransaction } from '../../kernel/call';
import { isDeletedSql, markDeleted } from '../../state/companies/deleted';
import { eraseAccess } from '../../state/companies/erase-company';
import { lockCompanyWholly } from '../../state/companies/lock-company';

/**
 * Makes the company unknown and ends its credentials in one transaction. Workers then erase its
 * rows and files.
 * @throws ApiError 403 `recent_sign_in_required`; 404 after a concurrent deletion; 409
 * `confirmation_required` for another name; 409 `conflict` unless the company is archived and its
 * runs have ended
 */
export async function deleteCompany(
  call: Call & { readonly actor: BoardActor; request: Request },
  { name }: DeleteCompanyBody,
): Promise<DeletedCompanyView> {
  const { actor, companyId, context } = call;
  const { userId } = actor;
  await assertRecentSignIn(call);
  return inTransaction(call, async (tx) => {
    await lockCompanyWholly(tx, companyId);
    const [company] = await ask(tx, readDeletable, { companyId });
    if (!company) throw notFound('company');
    assertDeletable(company, name);
    const runners = await ask(tx, readRunnerNames, { companyId });
    await tx.record('company.deleted', companyId);
    await eraseAccess(tx, companyId);
    const deletedAt = await markDeleted(tx, companyId, userId);
    tx.afterCommit(() => context.logger.info('a company was deleted', { userId }));
    return { id: companyId, deletedAt, runners: runners.map((runner) => runner.name) };
  });
}

function assertDeletable({ status, ...company }: RowOf<typeof readDeletable>, name: string): void {
  if (company.name !== name) {
    const message = "`name` must be the company's exact name, because a deletion is final";
    throw conflict('confirmation_required', message, { field: 'name', retry: false });
  }
  if (status !== 'archived') {
    throw conflict('conflict', 'the company must be archived before it is deleted', {
      status,
      retry: false,
    });
  }
  const { runningRuns } = company;
  if (runningRuns === 0) return;
  const message = `all runs of the company must end before it is deleted; still running: ${runningRuns}`;
  throw conflict('conflict', message, { runningRuns, retry: true });
}

const readDeletable = statement('read-deletable-company', {
  takes: { companyId: 'uuid' },
  gives: { name: 'text', status: 'text', runningRuns: 'int' },
  sql: ({ companyId }) => `
    SELECT c.name, c.status, (SELECT count(*)::int FROM heartbeat_run r
      WHERE r.company_id = c.id AND r.status = 'running') AS "runningRuns"
    FROM company c WHERE c.id = ${companyId} AND NOT ${isDeletedSql('c.id')}`,
});

const readRunnerNames = statement('read-runner-names', {
  takes: { companyId: 'uuid' },
  gives: { name: 'text' },
  sql: ({ companyId }) => `
    SELECT name FROM runner WHERE company_id = ${companyId} AND revoked_at IS NULL ORDER BY name`,
});
