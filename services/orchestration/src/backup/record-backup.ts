import { connectAlone } from '@switchyard/db';

const RECORD = `
  INSERT INTO last_backup (completed_at) VALUES (clock_timestamp())
  ON CONFLICT (singleton) DO UPDATE SET completed_at = excluded.completed_at`;

export async function recordBackup(databaseUrl: string): Promise<void> {
  const client = await connectAlone({
    url: databaseUrl,
    applicationName: 'switchyard-backup',
    timeoutMs: 8_000,
    onLost: () => undefined,
  });
  try {
    await client.query(RECORD);
  } finally {
    await client.end();
  }
}
