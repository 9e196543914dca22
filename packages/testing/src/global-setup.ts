import { join } from 'node:path';
import { migrate } from '@switchyard/db';
import { administer, databaseUrl } from './test-server';

const PRODUCTS = ['orchestration', 'metrics'];

/** Migrates one template database a product; every test file clones the one it needs. */
export default async function globalSetup(): Promise<void> {
  const run = `${process.pid}_${Date.now().toString(36)}`;
  process.env.TEST_RUN = run;
  for (const product of PRODUCTS) {
    const name = `template_${product}_${run}`;
    await administer(`CREATE DATABASE "${name}"`);
    await migrate(databaseUrl(name), join(__dirname, '../../../prisma', product, 'migrations'));
  }
}
