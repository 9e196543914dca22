import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];

/** A Chromium; `CHROMIUM_PATH` names it, else it is looked for where Debian and others put it. */
export function launch() {
  const { existsSync } = require('node:fs');
  const places = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const executablePath = places.find((place) => place && existsSync(place));
  if (!executablePath) throw new Error('CHROMIUM_PATH names no Chromium');
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

/** A browser of its own, in which every page notes when its data was there (`window.settledAt`). */
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

/**
 * A screen has its data when it has a heading, shows no grey rows any more, and the last answer that it asked for is
 * there. What is asked for later, by a change or by scrolling, does not count: a look ends with it.
 */
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
      // The frame after the answer has been drawn.
      requestAnimationFrame(() => requestAnimationFrame(note));
    }
  };
  new MutationObserver(note).observe(document, { childList: true, subtree: true, attributes: true });
  window.startLook = () => Object.assign(look, { begin: performance.now(), asked: 0, settledAt: 0, slowest: 0 });
})()`;

/** Milliseconds from `begin` until the data is there, the slowest answer, and how many were asked for. */
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

/** Numbers of the renderer by the protocol of Chromium's own tools. */
export async function openGauges(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return {
    /** Milliseconds that the main thread has worked. */
    taskMs: async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
    },
    /** Bytes that are in use once nothing can be collected any more. */
    heap: async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize;
    },
  };
}
