import { inTransaction } from '@switchyard/db';
import { Refusal } from '@switchyard/server';
import { LOGO_CONTENT_TYPES, type UploadedLogoView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import type { Upload } from './upload';

/** How long a logo may wait for the company that names it. */
const WAITS_HOURS = 24;

/**
 * Keeps an image that a company may name as its logo (spec, "Logo rules").
 * @throws Refusal 415 for anything that is no image of an allowed type by its own bytes
 */
export async function createLogo(scope: Scope, upload: Upload): Promise<UploadedLogoView> {
  const { companyId, actor, runId } = scope;
  const { assetId, byteSize, sha256 } = upload;
  const contentType = LOGO_CONTENT_TYPES.find((type) => type === upload.contentType);
  if (!contentType) {
    throw new Refusal('unsupported_media_type', 'the file is no image that a logo may be', {
      allowed: LOGO_CONTENT_TYPES,
      found: upload.contentType,
    });
  }
  return inTransaction(scope.db, async (tx) => {
    const expiresAt = new Date(Date.now() + WAITS_HOURS * 3_600_000);
    const data = { contentType, byteSize, sha256, expiresAt };
    await tx.asset.update({ where: { id: assetId }, data });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'company.logo_uploaded',
      entityType: 'company',
      entityId: companyId,
      details: { assetId, contentType, byteSize },
    });
    return { assetId, contentType, byteSize, contentPath: `/api/assets/${assetId}/content` };
  });
}
