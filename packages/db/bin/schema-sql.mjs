#!/usr/bin/env node
// Prints the SQL that changes one Prisma schema (or `empty`) into another, without a server: the
// draft of a new migration, and the reference of the schema test. Usage: DATABASE_URL=… node
// packages/db/bin/schema-sql.mjs <empty | schema file or folder> <schema file or folder>
import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

const require = createRequire(import.meta.url);

async function loadEngine() {
  const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const folder = join(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'), '..');
  const bytes = await readFile(join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return engine.SchemaEngine;
}

async function readSchema(path) {
  const info = await stat(path);
  const names = info.isDirectory()
    ? (await readdir(path))
        .filter((name) => name.endsWith('.prisma'))
        .sort()
        .map((name) => join(path, name))
    : [path];
  return Promise.all(
    names.map(async (name) => ({ path: name, content: await readFile(name, 'utf8') })),
  );
}

async function target(path) {
  if (path === 'empty') return { tag: 'empty' };
  return { tag: 'schemaDatamodel', files: await readSchema(path) };
}

const [from, to] = process.argv.slice(2);
if (!from || !to || !process.env.DATABASE_URL) {
  console.error('usage: DATABASE_URL=… schema-sql.mjs <empty | schema> <schema>');
  process.exit(2);
}
const SchemaEngine = await loadEngine();
const adapter = bindMigrationAwareSqlAdapterFactory(
  new PrismaPg({ connectionString: process.env.DATABASE_URL }),
);
const files = await readSchema(to);
const engine = await SchemaEngine.new(
  { datamodels: files.map(({ path, content }) => [path, content]) },
  () => undefined,
  adapter,
);
const { stdout } = await engine.diff({
  from: await target(from),
  to: await target(to),
  script: true,
  exitCode: null,
  filters: { externalTables: [], externalEnums: [] },
});
process.stdout.write(stdout ?? '');
process.exit(0);
