import { usableVariables } from '@switchyard/settings';
import { awaitSchema } from '../schema/await-schema';
import { SCHEMA_VERSION } from '../schema/schema-version';

const DEADLINE_MS = 600_000;

async function run(): Promise<void> {
  const [product, seconds] = process.argv.slice(2);
  const url = usableVariables(process.env).DATABASE_URL;
  if (!(product === 'orchestration' || product === 'metrics') || !url) {
    const products = Object.keys(SCHEMA_VERSION).join(' | ');
    throw new Error(`usage: DATABASE_URL=postgresql://… await-schema <${products}> [seconds]`);
  }
  await awaitSchema({
    url,
    product,
    deadlineMs: seconds ? Number(seconds) * 1_000 : DEADLINE_MS,
    onWait: (reason) => console.log(`waiting: ${reason}`),
  });
  console.log(`${product}: the schema is ready (${SCHEMA_VERSION[product]})`);
}

run().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
