import { afterCommit, inTransaction, newId } from '@switchyard/db';
import { type Answer, notFound } from '@switchyard/server';
import type { AttachmentView } from '@switchyard/types';
import { createdBy, type Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { newestCursor, newestFirst, page } from '../../page';
import { recordActivity } from '../activity/record-activity';
import { presentAttachment } from './present-attachment';
import { removeAsset, type Upload } from './upload';

export async function createAttachment(
  scope: Scope,
  issueId: string,
  upload: Upload,
): Promise<AttachmentView> {
  const { companyId, actor, runId } = scope;
  const { assetId, originalFilename, contentType, byteSize, sha256 } = upload;
  return inTransaction(scope.db, async (tx) => {
    await tx.asset.update({
      where: { id: assetId },
      data: { contentType, byteSize, sha256, expiresAt: null },
    });
    const attachment = await tx.attachment.create({
      data: {
        id: newId(),
        companyId,
        issueId,
        assetId,
        originalFilename,
        createdByRunId: runId,
        ...createdBy(scope),
      },
      include: { asset: true },
    });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'attachment.created',
      entityType: 'attachment',
      entityId: attachment.id,
      details: { issueId, originalFilename, contentType, byteSize },
    });
    return presentAttachment(attachment);
  });
}

export async function listAttachments(
  scope: Scope,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await scope.db.prisma.attachment.findMany({
    where: { issueId, companyId: scope.companyId, ...after },
    include: { asset: true },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentAttachment, newestCursor);
}

/** The bytes go after the commit; when that fails, the sweep removes them. */
export async function deleteAttachment(
  effects: Pick<Effects, 'files' | 'db'>,
  scope: Scope,
  attachmentId: string,
): Promise<void> {
  const { companyId, actor, runId } = scope;
  await inTransaction(scope.db, async (tx) => {
    const attachment = await tx.attachment.findUnique({
      where: { id: attachmentId },
      include: { asset: true },
    });
    const { count } = await tx.attachment.deleteMany({ where: { id: attachmentId } });
    if (!attachment || count === 0) throw notFound('attachment');
    const { asset, issueId, originalFilename } = attachment;
    await tx.asset.update({ where: { id: asset.id }, data: { expiresAt: new Date() } });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'attachment.deleted',
      entityType: 'attachment',
      entityId: attachmentId,
      details: { issueId, originalFilename },
    });
    afterCommit(tx, () => removeAsset(effects.db, effects.files, asset).catch(() => undefined));
  });
}
