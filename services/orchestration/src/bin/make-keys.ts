import { main } from '@switchyard/server';
import { writeContainerKeys } from '../container-keys';

/** `make-keys <folder>`: the keys that containers on one machine share. */
void main(async () => {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('usage: make-keys <folder>');
  writeContainerKeys(process.env, folder);
  process.stdout.write(`keys are in ${folder}\n`);
});
