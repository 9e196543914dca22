import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];

export function launch() {
  const { existsSync } = require('node:fs');
  const places = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const executablePath = places.find((place) => place && existsSync(place));
  if (!executablePath) throw new Error('CHROMIUM_PATH must name a Chromium executable');
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

export async function openContext(browser, url) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    locale: 'en',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(NOTE);
  return context;
}

const NOTE = `(() => {
  const look = window.look = { begin: 0, asked: 0, pending: 0, settledAt: 0, slowest: 0 };
  const isThere = () => document.querySelector('h1') && !document.querySelector('[role=status][aria-label]');
  const note = () => {
    if (look.pending > 0 || !isThere()) look.settledAt = 0;
    else look.settledAt ||= performance.now();
  };
  const { fetch } = window;
  window.fetch = async (input, options) => {
    const { pathname } = new URL(typeof input === 'string' ? input : input.url, location.href);
    if (!pathname.startsWith('/api/') || /\\/(?:changes|log\\/events)$/.test(pathname)) return fetch(input, options);
    const began = performance.now();
    look.asked += 1;
    look.pending += 1;
    look.settledAt = 0;
    try {
      const response = await fetch(input, options);
      await response.clone().arrayBuffer();
      return response;
    } finally {
      look.slowest = Math.max(look.slowest, performance.now() - began);
      look.pending -= 1;
      requestAnimationFrame(() => requestAnimationFrame(note));
    }
  };
  new MutationObserver(note).observe(document, { childList: true, subtree: true, attributes: true });
  window.startLook = () => Object.assign(look, { begin: performance.now(), asked: 0, settledAt: 0, slowest: 0 });
})()`;

export const readLook = (page) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const wait = () => {
      if (performance.now() - look.begin > 20_000) reject(new Error(location.pathname + ' has no data: ' + JSON.stringify(look)));
      const { begin, settledAt, pending, slowest, asked } = look;
      const isOver = settledAt > 0 && pending === 0 && performance.now() - settledAt > 250;
      if (isOver) resolve({ ms: settledAt - begin, slowest, asked });
      else setTimeout(wait, 25);
    };
    wait();
  })`);

export async function openGauges(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return {
    taskMs: async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
    },
    heap: async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize;
    },
  };
}
