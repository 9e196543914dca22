import { ask, newId, statement } from '@switchyard/db';
import { type ApiError, conflict, Reply } from '@switchyard/server';
import type { DocumentView, PutDocumentBody } from '@switchyard/types';
import { createdBy } from '../../kernel/actor';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { assertTextFits } from '../../state/companies/text-quota';
import { getDocument } from './documents';

/**
 * Creates a document (201) or writes its next revision (200); an absent title or format stays
 * unchanged (spec, "Issues" rule 4).
 * @throws ApiError 409 `stale_revision`, `storage_full`
 */
export async function putDocument(
  call: Call,
  issueId: string,
  key: string,
  body: PutDocumentBody,
): Promise<Reply<DocumentView>> {
  const { companyId, runId } = call;
  return inTransaction(call, async (tx) => {
    const base = body.baseRevisionId?.toLowerCase() ?? null;
    const { id, revisionId, revisionNumber } = await advance(tx, issueId, key, base);
    const before = base
      ? await tx.prisma.documentRevision.findUniqueOrThrow({
          where: { id: base },
          select: { title: true, format: true },
        })
      : { title: key, format: 'markdown' };
    await tx.prisma.documentRevision.create({
      data: {
        id: revisionId,
        companyId,
        documentId: id,
        revisionNumber,
        title: body.title ?? before.title,
        format: body.format ?? before.format,
        body: body.body,
        ...createdBy(call),
        createdByRunId: runId,
      },
      select: { id: true },
    });
    await assertTextFits(tx);
    const action = base ? 'document.updated' : 'document.created';
    await tx.record(action, id, { issueId, key, revisionId, revisionNumber });
    return new Reply(await getDocument(tx, issueId, key), { status: base ? 200 : 201 });
  });
}

interface Latest {
  id: string;
  revisionId: string;
  revisionNumber: number;
}

/**
 * @throws ApiError 409 `stale_revision` unless `base` is the latest revision, or null for a new
 * document
 */
async function advance(tx: Tx, issueId: string, key: string, base: string | null): Promise<Latest> {
  if (base === null) {
    const created = await insertDocument(tx, issueId, key);
    if (created) return created;
  }
  const [current = null] = await ask(tx, lockDocument, { issueId, key });
  if (!current || current.revisionId !== base) throw stale(key, current);
  const next = { ...current, revisionId: newId(), revisionNumber: current.revisionNumber + 1 };
  await ask(tx, writeLatest, next);
  return next;
}

/**
 * Returns null if the key is taken: the unique index accepts one of several concurrent creators.
 */
async function insertDocument(tx: Tx, issueId: string, key: string): Promise<Latest | null> {
  const latest = { id: newId(), revisionId: newId(), revisionNumber: 1 };
  const { companyId } = tx;
  const [created] = await ask(tx, insertLatest, { ...latest, companyId, issueId, key });
  return created ? latest : null;
}

function stale(key: string, current: Latest | null): ApiError {
  const message = current
    ? 'baseRevisionId must be the latest revision: read it again, then repeat your change on it'
    : 'the document does not exist yet: omit baseRevisionId';
  return conflict('stale_revision', message, {
    key,
    currentRevisionId: current?.revisionId ?? null,
    currentRevisionNumber: current?.revisionNumber ?? null,
    retry: false,
  });
}

const insertLatest = statement('insert-document', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    issueId: 'uuid',
    key: 'text',
    revisionId: 'uuid',
    revisionNumber: 'int',
  },
  gives: { id: 'uuid' },
  sql: (p) => `
    INSERT INTO issue_document
      (id, company_id, issue_id, key, latest_revision_id, latest_revision_number)
    VALUES (${p.id}, ${p.companyId}, ${p.issueId}, ${p.key}, ${p.revisionId}, ${p.revisionNumber})
    ON CONFLICT DO NOTHING RETURNING id`,
});

const writeLatest = statement('update-document', {
  takes: { id: 'uuid', revisionId: 'uuid', revisionNumber: 'int' },
  gives: {},
  sql: (p) => `
    UPDATE issue_document SET latest_revision_id = ${p.revisionId},
      latest_revision_number = ${p.revisionNumber}, updated_at = now()
    WHERE id = ${p.id}`,
});

const lockDocument = statement('lock-document', {
  takes: { issueId: 'uuid', key: 'text' },
  gives: { id: 'uuid', revisionId: 'uuid', revisionNumber: 'int' },
  sql: ({ issueId, key }) => `
    SELECT id, latest_revision_id AS "revisionId", latest_revision_number AS "revisionNumber"
    FROM issue_document WHERE issue_id = ${issueId} AND key = ${key} FOR NO KEY UPDATE`,
});
