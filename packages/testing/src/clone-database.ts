import { randomBytes } from 'node:crypto';
import { type Product, roleName, roleUrl } from './test-roles';
import { administer } from './test-server';

export interface ClonedDatabase {
  url: string;
  ownerUrl: string;
  drop(): Promise<void>;
}

/**
 * Creates a test file's database by copying the files of the migrated template. For 11 MB this
 * takes 59 ms, and 105 ms with the default strategy.
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
