import { main } from '@switchyard/server';
import { readRestoreOptions } from '../backup/backup-options';
import { readRestoreSettings } from '../backup/backup-settings';
import { fromSource } from '../backup/bucket';
import { withOpenBackup } from '../backup/encrypted-backup';
import { restore } from '../backup/restore';
import { summary } from '../backup/summary';

void main(async () => {
  const { folder, key, paused } = readRestoreOptions(process.argv.slice(2));
  const settings = readRestoreSettings(process.env);
  const manifest = await fromSource(folder, process.env, (local) =>
    withOpenBackup(local, key, (clear) => restore(settings, clear, { paused })),
  );
  process.stdout.write(summary('restored', folder, manifest));
  if (paused) process.stdout.write('every company is paused: resume them in the console\n');
});
