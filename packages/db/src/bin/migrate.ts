import { join } from 'node:path';
import { migrate } from '../migrate';

const PRODUCTS = ['orchestration', 'metrics'];

async function run(): Promise<void> {
  const [product] = process.argv.slice(2);
  const url = process.env.DATABASE_URL;
  if (!product || !PRODUCTS.includes(product) || !url) {
    throw new Error(`usage: DATABASE_URL=postgresql://… migrate <${PRODUCTS.join(' | ')}>`);
  }
  const root = process.env.PRISMA_ROOT ?? join(__dirname, '..', '..', '..', '..', 'prisma');
  const applied = await migrate(url, join(root, product, 'migrations'));
  console.log(
    applied.length > 0 ? `${product}: applied ${applied.join(', ')}` : `${product}: up to date`,
  );
}

run().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
