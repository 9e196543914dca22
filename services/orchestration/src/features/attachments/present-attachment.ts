import type { AssetModel, AttachmentModel } from '@switchyard/db';
import type { AttachmentView } from '@switchyard/types';

export function presentAttachment(row: AttachmentModel & { asset: AssetModel }): AttachmentView {
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
