import { main } from '@switchyard/server';
import { backUp } from '../backup/back-up';
import { readBackupOptions } from '../backup/backup-options';
import { readBackupSettings } from '../backup/backup-settings';
import { intoTarget } from '../backup/bucket';
import { backUpEncrypted } from '../backup/encrypted-backup';
import { recordBackup } from '../backup/record-backup';
import { summary } from '../backup/summary';

void main(async () => {
  const { folder, lock } = readBackupOptions(process.argv.slice(2));
  const settings = readBackupSettings(process.env);
  const manifest = await intoTarget(folder, process.env, (local) =>
    lock ? backUpEncrypted(settings, local, lock) : backUp(settings, local),
  );
  process.stdout.write(summary('wrote', folder, manifest));
  await recordBackup(settings.databases.orchestration);
});
