import { ask, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { type Call, inTransaction } from '../../kernel/call';

export async function deleteDocument(call: Call, issueId: string, key: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const [deleted] = await ask(tx, deleteByKey, { issueId, key });
    if (!deleted) throw notFound('document');
    await tx.record('document.deleted', deleted.id, { issueId, key, revisions: deleted.revisions });
  });
}

const deleteByKey = statement('delete-document', {
  takes: { issueId: 'uuid', key: 'text' },
  gives: { id: 'uuid', revisions: 'int' },
  sql: ({ issueId, key }) => `
    DELETE FROM issue_document WHERE issue_id = ${issueId} AND key = ${key}
    RETURNING id, latest_revision_number AS revisions`,
});
