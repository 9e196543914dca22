import { readPlace } from './postgres/place.js';

export function rootWarning(
  { root, dataDir }: { root: string; dataDir: string },
  uid = process.getuid?.(),
): string[] {
  if (uid !== 0) return [];
  const { folder } = readPlace(dataDir);
  const folders = [...new Set([root, dataDir, folder])].filter(
    (one) => one === root || !one.startsWith(`${root}/`),
  );
  return [
    'THE SERVICES RUN AS ROOT, and so does every agent that the runner starts.',
    'An agent can then read and change all of this machine: files, accounts, other programs, keys.',
    'Start it as an ordinary account instead. Stop this first (Ctrl-C), then, as root:',
    `  chown -R NAME ${folders.join(' ')}`,
    'NAME must be able to enter the folders above these. Then, as NAME: npm start',
    '',
  ];
}
