import { randomBytes } from 'node:crypto';
import { type Product, roleName, roleUrl } from './test-roles';
import { administer } from './test-server';

export interface ClonedDatabase {
  url: string;
  ownerUrl: string;
  drop(): Promise<void>;
}

/**
 * Creates a test file's database from the migrated template by copying its files: for 11 MB that
 * takes 59 ms instead of 105 ms with the default strategy.
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
