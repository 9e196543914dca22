import { databaseUrl } from './test-server';

export type Product = 'orchestration' | 'metrics';

/**
 * Roles belong to the whole server, which other test runs may use, so their names contain the id of
 * this run.
 */
export const roleName = (role: Product | 'owner') => `test_${process.env.TEST_RUN}_${role}`;

export function roleUrl(role: Product | 'owner', database: string): string {
  const url = new URL(databaseUrl(database));
  url.username = roleName(role);
  url.password = process.env.TEST_RUN as string;
  return url.href;
}
