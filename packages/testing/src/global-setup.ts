import { join } from 'node:path';
import { migrateAsOwner, readRoles } from '@switchyard/db';
import { roleUrl } from './test-roles';
import { databaseUrl } from './test-server';

const PRODUCTS = ['orchestration', 'metrics'] as const;

export default async function globalSetup(): Promise<void> {
  process.env.TEST_RUN = `${process.pid}_${Date.now().toString(36)}`;
  for (const product of PRODUCTS) {
    const name = `template_${product}_${process.env.TEST_RUN}`;
    const roles = readRoles({
      DATABASE_URL: roleUrl(product, name),
      DATABASE_OWNER_URL: roleUrl('owner', name),
      DATABASE_ADMIN_URL: databaseUrl('postgres'),
    });
    await migrateAsOwner(roles, join(__dirname, '../../../prisma', product, 'migrations'));
  }
}
