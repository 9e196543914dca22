import { type Browser, chromium } from 'playwright-core';

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
 * Returns the Chromium in `TEST_CHROMIUM`, which the launcher found or fetched. All files of a test
 * process share it.
 * @throws Error that explains how to get one
 */
export function shareChromium(): Promise<Browser> {
  if (!shared) {
    const launched = launchChromium();
    shared = launched;
    // The test runner closes its channel to end a process, but an open browser would prevent the
    // end.
    process.once('disconnect', () => launched.then((browser) => browser.close()).catch(() => {}));
  }
  return shared;
}

export function launchChromium(): Promise<Browser> {
  const { TEST_CHROMIUM: executablePath } = process.env;
  if (executablePath) return chromium.launch({ executablePath, headless: true, args: FLAGS });
  throw new Error(
    'Chromium is required: run `npm run test:browser`, which fetches it, install it, or set CHROMIUM_PATH.',
  );
}
