import type { Transaction } from '@switchyard/db';
import { forbidden, unprocessable } from '@switchyard/server';
import { LOGO_CONTENT_TYPES } from '@switchyard/types';
import { expireAsset, keepAsset } from './storage/asset-expiry';

const details = { field: 'logoAssetId' };

/**
 * Sets an uploaded image as the logo and expires the previous one. The caller holds the company's
 * lock.
 * @throws ApiError 403 for another company's image, 422 if unknown, expired or not an image
 */
export async function replaceLogo(
  tx: Transaction,
  companyId: string,
  before: string | null,
  logoAssetId: string | null,
): Promise<void> {
  if (logoAssetId) {
    const asset = await tx.prisma.asset.findUnique({ where: { id: logoAssetId } });
    if (asset && asset.companyId !== companyId) {
      throw forbidden(
        'cross_company',
        'logoAssetId must be the id of a logo of this company',
        details,
      );
    }
    const isKept = await keepAsset(tx, logoAssetId);
    if (!asset || !isKept) {
      throw unprocessable(
        'unknown_reference',
        'logoAssetId must be the id of an uploaded logo',
        details,
      );
    }
    if (!LOGO_CONTENT_TYPES.some((type) => type === asset.contentType)) {
      throw unprocessable('semantic_error', 'logoAssetId must be the id of an image', details);
    }
  }
  if (before) await expireAsset(tx, before);
}
