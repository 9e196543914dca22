import { pipeline } from 'node:stream/promises';
import { openDatabase } from '@switchyard/db';
import { main } from '@switchyard/server';
import { exportLines, readExport } from '../backup/export-lines';
import { recordBackup } from '../backup/record-backup';
import { readAdminConfig, readRewrapConfig } from '../config';
import { administer } from '../features/people/administer';
import { rewrapSecrets } from '../features/secrets/rewrap-secrets';

void main(async () => {
  const words = process.argv.slice(2);
  if (words.length === 1 && words[0] === 'rewrap-secrets') {
    process.stdout.write(await rewrapSecrets(readRewrapConfig(process.env)));
    return;
  }
  const { databaseUrl } = readAdminConfig(process.env);
  if (words.length === 1 && words[0] === 'record-backup') return recordBackup(databaseUrl);
  const db = openDatabase({
    url: databaseUrl,
    size: 2,
    applicationName: 'switchyard-admin',
    onIdleError: () => undefined,
  });
  try {
    if (words[0] === 'export') {
      const { what, since } = readExport(words.slice(1));
      await pipeline(exportLines(db, what, since), process.stdout);
    } else {
      process.stdout.write(await administer(db, words, process.stdin));
    }
  } finally {
    await db.close();
  }
});
