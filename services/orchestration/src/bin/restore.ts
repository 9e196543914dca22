import { resolve } from 'node:path';
import { main } from '@switchyard/server';
import { readRestoreSettings } from '../backup/backup-settings';
import { restore } from '../backup/restore';
import { summary } from '../backup/summary';

/** `restore <folder>`: a backup into an empty system, or nothing and the reason. */
void main(async () => {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('usage: restore <folder of a backup>');
  const manifest = await restore(readRestoreSettings(process.env), resolve(folder));
  process.stdout.write(summary('restored', resolve(folder), manifest));
});
