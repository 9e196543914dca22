import { type Browser, chromium } from 'playwright-core';

/** Nothing that would ask another host, and nothing that a container lacks. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

let shared: Promise<Browser> | undefined;

/**
 * The Chromium that the launcher has found or fetched (`TEST_CHROMIUM`). All files of a test process share it; it ends with the
 * process. @throws Error that says how to get one
 */
export function shareChromium(): Promise<Browser> {
  if (!shared) {
    const launched = launchChromium();
    shared = launched;
    // The runner leaves its processes by closing their channel; an open browser would keep this one.
    process.once('disconnect', () => launched.then((browser) => browser.close()).catch(() => {}));
  }
  return shared;
}

export function launchChromium(): Promise<Browser> {
  const { TEST_CHROMIUM: executablePath } = process.env;
  if (executablePath) return chromium.launch({ executablePath, headless: true, args: FLAGS });
  throw new Error(
    'There is no Chromium on this machine. `npm run test:browser` fetches one; or install one, or set CHROMIUM_PATH to it.',
  );
}
