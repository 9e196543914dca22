import path from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST = [20, 19];

export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function refuse(cause, next) {
  console.error(`\nCause: ${cause}\nNext:  ${next}\n`);
  process.exit(1);
}

/** Everything else is imported after this check: an old Node would fail on its syntax without a reason. */
export async function begin(work) {
  if (!isSupported(process.versions.node)) {
    refuse(
      `Switchyard needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}.`,
      'Install a current Node from https://nodejs.org (or nvm install 22) and start again.',
    );
  }
  if (process.platform === 'win32') {
    refuse('Switchyard does not run on Windows itself.', 'Start it inside WSL 2, or use Docker.');
  }
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
  const { live } = await import('./process/life.mjs');
  await work({ root, live });
}
