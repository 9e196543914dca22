import path from 'node:path';
import { UserError } from '@switchyard/bootstrap/user-error';
import { findChromium } from './installed.js';
import { chromiumFromPackage } from './package.js';

/** The browser that the tests of the console drive: the machine's own, else one that a package of npm holds. */
export async function seekChromium(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const found =
    findChromium(env) ?? (await chromiumFromPackage(path.join(root, '.cache/chromium'), signal));
  if (found) return found;
  throw new UserError(
    'There is no Chromium here, and no package of one for this system.',
    process.platform === 'darwin'
      ? 'Install Chrome or Chromium (brew install --cask chromium), or set CHROMIUM_PATH to the program.'
      : 'Install the package chromium of your distribution, or set CHROMIUM_PATH to the program.',
  );
}
