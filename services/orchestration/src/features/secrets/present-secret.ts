import type { SecretModel } from '@switchyard/db';
import type { SecretView } from '@switchyard/types';

export function presentSecret(row: SecretModel): SecretView {
  return {
    id: row.id,
    companyId: row.companyId,
    name: row.name,
    description: row.description,
    latestVersion: row.latestVersion,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
