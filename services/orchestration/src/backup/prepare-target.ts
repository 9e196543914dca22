import {
  type DumpedDatabase,
  describeTables,
  firstFilled,
  migrate,
  openPool,
  readMigrations,
  schemaVersionOf,
} from '@switchyard/db';

export interface Target {
  name: 'orchestration' | 'metrics';
  url: string;
  migrations: string;
  dump: DumpedDatabase;
}

export const DISPOSABLE = {
  orchestration: ['adapter_probe', 'bootstrap_token'],
  metrics: ['rollup_progress'],
};

export async function assertTarget({ name, url, migrations, dump }: Target): Promise<void> {
  const pool = openPool({
    url,
    size: 1,
    applicationName: 'switchyard-restore',
    onIdleError: () => undefined,
  });
  const client = await pool.connect();
  try {
    const tables = await describeTables(client);
    const kept = tables.filter((table) => !DISPOSABLE[name].includes(table.name));
    const filled = await firstFilled(client, kept);
    if (filled) {
      throw new Error(
        `the ${name} database must be empty, but "${filled}" contains rows: restore into a new database`,
      );
    }
    const version = await schemaVersionOf(client);
    if (version === null && tables.length > 0) {
      throw new Error(`the ${name} database must not contain tables of other programs`);
    }
    if (version === dump.schema) return;
    if (version !== null && version > dump.schema) {
      throw new Error(
        `the ${name} database is already at ${version}, but the backup is at ${dump.schema}: ` +
          'restore into a new database; the restore migrates it afterwards',
      );
    }
    const known = await readMigrations(migrations);
    if (!known.some((migration) => migration.name === dump.schema)) {
      throw new Error(
        `this release does not contain ${dump.schema}, the schema version of the backup: restore with the ` +
          'release that made the backup, or a newer one',
      );
    }
  } finally {
    client.release();
    await pool.end();
  }
}

export async function prepareTarget({ url, migrations, dump }: Target): Promise<void> {
  await migrate(url, migrations, dump.schema);
}
