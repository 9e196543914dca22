import { existsSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '@switchyard/bootstrap/user-error';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

const BEYOND_PATH = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The program that CHROMIUM_PATH names, or one of the places where there usually is one. */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const { CHROMIUM_PATH: named, PATH = '' } = env;
  if (named && !existsSync(named)) {
    throw new UserError(
      `CHROMIUM_PATH names ${named}, which does not exist.`,
      'Correct it, or unset it to have one found or fetched.',
    );
  }
  if (named) return named;
  const folders = PATH.split(path.delimiter).filter(Boolean);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...onPath, ...BEYOND_PATH].find((file) => existsSync(file));
}
