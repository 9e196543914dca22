import { databaseUrl } from './test-server';

export type Product = 'orchestration' | 'metrics';

/** Roles belong to a whole server, which may have other test runs on it: theirs have other names. */
export const roleName = (role: Product | 'owner') => `test_${process.env.TEST_RUN}_${role}`;

/** The database as a role of this run: a product's own reads and writes rows, the owner does the rest. */
export function roleUrl(role: Product | 'owner', database: string): string {
  const url = new URL(databaseUrl(database));
  url.username = roleName(role);
  url.password = process.env.TEST_RUN as string;
  return url.href;
}
