import { resolve } from 'node:path';
import { main } from '@switchyard/server';
import { backUp } from '../backup/back-up';
import { readBackupSettings } from '../backup/backup-settings';
import { summary } from '../backup/summary';

/** `backup <folder>`: both databases and the stored files into a new folder. */
void main(async () => {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('usage: backup <folder that is new or empty>');
  const manifest = await backUp(readBackupSettings(process.env), resolve(folder));
  process.stdout.write(summary('wrote', resolve(folder), manifest));
});
