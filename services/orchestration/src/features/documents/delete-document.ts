import { inTransaction } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';

/**
 * Deletes a document with all its revisions.
 * @throws Refusal 404
 */
export async function deleteDocument(scope: Scope, issueId: string, key: string): Promise<void> {
  const { companyId, actor, runId } = scope;
  await inTransaction(scope.db, async (tx) => {
    const [deleted] = await tx.$queryRaw<{ id: string; revisions: number }[]>`
      DELETE FROM issue_document WHERE issue_id = ${issueId}::uuid AND key = ${key}
      RETURNING id, latest_revision_number AS revisions`;
    if (!deleted) throw notFound('document');
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'document.deleted',
      entityType: 'document',
      entityId: deleted.id,
      details: { issueId, key, revisions: deleted.revisions },
    });
  });
}
