import { randomBytes } from 'node:crypto';
import { administer, databaseUrl } from './test-server';

export interface ClonedDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database of its own for one test file, made from the migrated template. */
export async function cloneDatabase(product: 'orchestration' | 'metrics'): Promise<ClonedDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = `template_${product}_${process.env.TEST_RUN}`;
  await administer(`CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  return {
    url: databaseUrl(name),
    drop: () => administer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
  };
}
