import { type AssetModel, type AttachmentModel, newId } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { AttachmentView } from '@switchyard/types';
import { createdBy } from '../../kernel/actor';
import { type Call, inTransaction } from '../../kernel/call';
import { newestCursor, newestFirst, page } from '../../lists/page';
import { expireAsset, finishAsset } from './storage/asset-expiry';
import type { Upload } from './storage/stored-bytes';
import { removeAsset } from './upload';

export async function createAttachment(
  call: Call,
  issueId: string,
  upload: Upload,
): Promise<AttachmentView> {
  const { companyId, runId } = call;
  const { assetId, originalFilename, contentType, byteSize } = upload;
  return inTransaction(call, async (tx) => {
    await finishAsset(tx, upload, null);
    const attachment = await tx.prisma.attachment.create({
      data: {
        id: newId(),
        companyId,
        issueId,
        assetId,
        originalFilename,
        createdByRunId: runId,
        ...createdBy(call),
      },
      include: { asset: true },
    });
    await tx.record('attachment.created', attachment.id, {
      issueId,
      originalFilename,
      contentType,
      byteSize,
    });
    return presentAttachment(attachment);
  });
}

export async function listAttachments(
  call: Call,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await call.db.prisma.attachment.findMany({
    where: { issueId, companyId: call.companyId, ...after },
    include: { asset: true },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentAttachment, newestCursor);
}

export async function deleteAttachment(call: Call, attachmentId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const attachment = await tx.prisma.attachment.findUnique({
      where: { id: attachmentId },
      include: { asset: true },
    });
    const { count } = await tx.prisma.attachment.deleteMany({ where: { id: attachmentId } });
    if (!attachment || count === 0) throw notFound('attachment');
    const { asset, issueId, originalFilename } = attachment;
    await expireAsset(tx, asset.id);
    await tx.record('attachment.deleted', attachmentId, { issueId, originalFilename });
    const { db, files } = call.context;
    tx.afterCommit(() => removeAsset(db, files, asset).catch(() => undefined));
  });
}

function presentAttachment(row: AttachmentModel & { asset: AssetModel }): AttachmentView {
  return {
    id: row.id,
    companyId: row.companyId,
    issueId: row.issueId,
    assetId: row.assetId,
    contentType: row.asset.contentType,
    byteSize: row.asset.byteSize,
    sha256: row.asset.sha256,
    originalFilename: row.originalFilename,
    createdByAgentId: row.createdByAgentId,
    createdByUserId: row.createdByUserId,
    createdByRunId: row.createdByRunId,
    createdAt: row.createdAt.toISOString(),
    contentPath: `/api/attachments/${row.id}/content`,
  };
}
