import { isProblem } from '../problem.mjs';
import { paint } from './colour.mjs';

export function printFailure(error) {
  if (!isProblem(error)) {
    console.error(`\n${paint('red', 'Unexpected failure:')} ${error?.stack ?? error}\n`);
    return;
  }
  if (error.detail) console.error(`\n${error.detail.replace(/^/gm, '    | ')}`);
  console.error(`\n${paint('red', 'Cause:')} ${error.message}`);
  console.error(`${paint('bold', 'Next: ')} ${error.next}\n`);
}
