import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '@switchyard/bootstrap/user-error';
import { findOnPath } from './find.js';
import { unpackPackage } from './unpack.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

const BEYOND_PATH = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const CHROMIUM = {
  product: 'Chromium',
  packages: ['chromium'],
  programs: ['usr/lib/chromium/chromium'],
};

export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const { CHROMIUM_PATH: named } = env;
  if (named && !existsSync(named)) {
    throw new UserError(
      `CHROMIUM_PATH=${named} does not exist.`,
      'Correct it, or unset it to find or download Chromium automatically.',
    );
  }
  return named || [...findOnPath(NAMES, env), ...BEYOND_PATH].find((file) => existsSync(file));
}

export async function seekChromium(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const found = findChromium(env) ?? (await fromPackage(root, signal));
  if (found) return found;
  throw new UserError(
    'Chromium is not installed, and no package is available for this system.',
    process.platform === 'darwin'
      ? 'Install Chrome or Chromium (brew install --cask chromium), or set CHROMIUM_PATH to the program.'
      : 'Install Chrome, or the package chromium of your distribution, or set CHROMIUM_PATH to the program.',
  );
}

async function fromPackage(root: string, signal: AbortSignal): Promise<string | undefined> {
  const home = path.join(root, '.cache/chromium');
  const found = await unpackPackage(CHROMIUM, home, signal);
  if (!found) return undefined;
  const fonts = path.join(home, 'root/usr/share/fonts');
  const fontsFile = path.join(home, 'fonts.conf');
  writeFileSync(fontsFile, `<fontconfig><dir>${fonts}</dir></fontconfig>`);
  const lines = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH="${found.libraries}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
    ...(existsSync(fonts) ? [`export FONTCONFIG_FILE="${fontsFile}"`] : []),
    `exec "${found.command}" "$@"`,
    '',
  ];
  const script = path.join(home, 'chromium.sh');
  writeFileSync(script, lines.join('\n'), { mode: 0o755 });
  return script;
}
