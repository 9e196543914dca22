import { ask, statement } from '@switchyard/db';
import type { Context } from '../../../kernel/context';

const BATCH = 50;

export async function eraseFiles(
  { db, files }: Pick<Context, 'db' | 'files'>,
  companyId: string,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const assets = await ask(db, findFiles, { companyId });
    if (assets.length === 0) return;
    await Promise.all(assets.map(({ storageKey }) => files.remove(storageKey)));
    await ask(db, eraseAssets, { ids: assets.map(({ id }) => id) });
  }
}

const findFiles = statement('find-files-to-erase', {
  takes: { companyId: 'uuid' },
  gives: { id: 'uuid', storageKey: 'text' },
  sql: ({ companyId }) => `
    SELECT id, storage_key AS "storageKey" FROM asset WHERE company_id = ${companyId} LIMIT ${BATCH}`,
});

const eraseAssets = statement('erase-assets', {
  takes: { ids: 'uuid[]' },
  gives: {},
  sql: ({ ids }) => `DELETE FROM asset WHERE id = ANY (${ids})`,
});
