import { createRequire } from 'node:module';
import { join } from 'node:path';
import { OWN } from './processes.mjs';

const require = createRequire(import.meta.url);
const { migrate } = require('@switchyard/db');
const { Pool } = require('pg');

const migrationsOf = (product, checkout) => join(checkout, 'prisma', product, 'migrations');

export function openScratchPool(url) {
  const pool = new Pool({
    connectionString: url,
    max: 4,
    application_name: 'bench',
    options: '-c jit=off',
  });
  return pool.on('error', () => undefined);
}

async function administer(serverUrl, sql) {
  const pool = openScratchPool(serverUrl);
  try {
    await pool.query(sql);
  } finally {
    await pool.end();
  }
}

export async function scratchDatabase(
  serverUrl,
  label,
  { fill = () => undefined, product = 'orchestration', checkout = OWN } = {},
) {
  const name = `bench_${process.pid}_${label}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const drop = () => administer(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  await administer(serverUrl, `CREATE DATABASE "${name}"`);
  try {
    await migrate(url.href, migrationsOf(product, checkout));
    const pool = openScratchPool(url.href);
    const known = await fill(pool);
    await pool.end();
    return { url: url.href, known, drop, open: () => openScratchPool(url.href) };
  } catch (error) {
    await drop();
    throw error;
  }
}
