import { randomBytes } from 'node:crypto';
import { type Product, roleName, roleUrl } from './test-roles';
import { administer } from './test-server';

export interface ClonedDatabase {
  /** As the service connects: it may read and write rows. */
  url: string;
  /** As migrations, backups and restores connect. */
  ownerUrl: string;
  drop(): Promise<void>;
}

/**
 * A database of its own for one test file, made from the migrated template. Its files are copied: through the log, as is the
 * default, 11 MB take about twice as long (105 ms, not 59 ms).
 */
export async function cloneDatabase(product: Product): Promise<ClonedDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = `template_${product}_${process.env.TEST_RUN}`;
  await administer(
    `CREATE DATABASE "${name}" TEMPLATE "${template}" OWNER "${roleName('owner')}" STRATEGY FILE_COPY`,
  );
  return {
    url: roleUrl(product, name),
    ownerUrl: roleUrl('owner', name),
    drop: () => administer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
  };
}
