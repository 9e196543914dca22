import { main } from '@switchyard/server';
import { backUp } from '../backup/back-up';
import { readBackupOptions } from '../backup/backup-options';
import { readBackupSettings } from '../backup/backup-settings';
import { backUpEncrypted } from '../backup/encrypted-backup';
import { recordBackup } from '../backup/record-backup';
import { summary } from '../backup/summary';

/** `backup <folder>`: both databases and the stored files into a new folder. */
void main(async () => {
  const { folder, lock } = await readBackupOptions(process.argv.slice(2));
  const settings = readBackupSettings(process.env);
  const manifest = await (lock
    ? backUpEncrypted(settings, folder, lock)
    : backUp(settings, folder));
  process.stdout.write(summary('wrote', folder, manifest));
  await recordBackup(settings.databases.orchestration);
});
