import { notFound } from '@switchyard/server';
import { type Call, inTransaction } from '../../call';

/**
 * Deletes a document with all its revisions.
 * @throws ApiError 404
 */
export async function deleteDocument(call: Call, issueId: string, key: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const [deleted] = await tx.prisma.$queryRaw<{ id: string; revisions: number }[]>`
      DELETE FROM issue_document WHERE issue_id = ${issueId}::uuid AND key = ${key}
      RETURNING id, latest_revision_number AS revisions`;
    if (!deleted) throw notFound('document');
    await tx.record('document.deleted', deleted.id, { issueId, key, revisions: deleted.revisions });
  });
}
