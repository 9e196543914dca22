import { databaseUrl } from './test-server';

export type Product = 'orchestration' | 'metrics';

/** Roles belong to the whole server, which other test runs may use: their roles have other names. */
export const roleName = (role: Product | 'owner') => `test_${process.env.TEST_RUN}_${role}`;

/** Returns the database URL of a role: a product's own reads and writes rows, the owner does the rest. */
export function roleUrl(role: Product | 'owner', database: string): string {
  const url = new URL(databaseUrl(database));
  url.username = roleName(role);
  url.password = process.env.TEST_RUN as string;
  return url.href;
}
