import { openDatabase } from '@switchyard/db';
import { main } from '@switchyard/server';
import { recordBackup } from '../backup/record-backup';
import { readAdminConfig } from '../config';
import { administer } from '../features/people/administer';

/** `admin <command> [e-mail address]`: what the operator does to accounts. */
void main(async () => {
  const { databaseUrl } = readAdminConfig(process.env);
  const words = process.argv.slice(2);
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
