import { openDatabase } from '@switchyard/db';
import { main } from '@switchyard/server';
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
    process.stdout.write(await administer(db, words, process.stdin));
  } finally {
    await db.close();
  }
});
