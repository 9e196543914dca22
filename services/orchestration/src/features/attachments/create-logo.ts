import { ApiError } from '@switchyard/server';
import { LOGO_CONTENT_TYPES, type UploadedLogoView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { finishAsset } from './storage/asset-expiry';
import type { Upload } from './storage/stored-bytes';

const NOT_A_LOGO =
  'the logo must be an image of an allowed type; the root element of an SVG must begin within the first 64 KiB';

const WAITS_HOURS = 24;

/** @throws ApiError 415 unless the bytes are an image of an allowed type (spec, "Logo rules") */
export async function createLogo(call: Call, upload: Upload): Promise<UploadedLogoView> {
  const { companyId } = call;
  const { assetId, byteSize } = upload;
  const contentType = LOGO_CONTENT_TYPES.find((type) => type === upload.contentType);
  if (!contentType) {
    throw new ApiError('unsupported_media_type', NOT_A_LOGO, {
      allowed: LOGO_CONTENT_TYPES,
      found: upload.contentType,
    });
  }
  return inTransaction(call, async (tx) => {
    await finishAsset(tx, upload, WAITS_HOURS);
    await tx.record('company.logo_uploaded', companyId, { assetId, contentType, byteSize });
    return { assetId, contentType, byteSize, contentPath: `/api/assets/${assetId}/content` };
  });
}
