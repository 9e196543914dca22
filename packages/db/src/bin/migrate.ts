import { join } from 'node:path';
import { usableVariables } from '@switchyard/settings';
import { migrateAsOwner, prepareGiven, readRoles } from '../roles/migrate-as-owner';

const PRODUCTS = ['orchestration', 'metrics'];
const ROLES_ONLY = '--roles-only';

async function run(): Promise<void> {
  const [product, option] = process.argv.slice(2);
  const env = usableVariables(process.env);
  const isKnown = option === undefined || option === ROLES_ONLY;
  if (!product || !PRODUCTS.includes(product) || !isKnown || !env.DATABASE_URL) {
    throw new Error(
      `usage: DATABASE_URL=postgresql://… [DATABASE_OWNER_URL=… [DATABASE_ADMIN_URL=…]] migrate <${PRODUCTS.join(' | ')}> [${ROLES_ONLY}]`,
    );
  }
  const roles = readRoles(env);
  if (option === ROLES_ONLY) {
    await prepareGiven(roles);
    console.log(`${product}: ${roles.admin ? 'roles and database are ready' : 'nothing to do'}`);
    return;
  }
  const root = env.PRISMA_ROOT ?? join(__dirname, '..', '..', '..', '..', 'prisma');
  const applied = await migrateAsOwner(roles, join(root, product, 'migrations'));
  console.log(
    applied.length > 0 ? `${product}: applied ${applied.join(', ')}` : `${product}: up to date`,
  );
}

run().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
