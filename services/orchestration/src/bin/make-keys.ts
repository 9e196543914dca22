import { main, usableVariables } from '@switchyard/server';
import { writeContainerKeys } from '../settings/container-keys';

void main(async () => {
  const [folder, handedOut] = process.argv.slice(2);
  if (!folder || !handedOut) throw new Error('usage: make-keys <folder> <folder of the readers>');
  writeContainerKeys(usableVariables(process.env), folder, handedOut);
  process.stdout.write(`keys are in ${folder}\n`);
});
