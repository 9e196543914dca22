import type { Page, Response } from 'playwright-core';

export interface Watched {
  faults: string[];
  requests: string[];
}

export function watchPage(page: Page, origin: string, expects?: RegExp): Watched {
  const watched: Watched = { faults: [], requests: [] };
  const isOwn = (url: string) => url.startsWith(`${origin}/`) || /^(?:data|blob|about):/.test(url);
  page.on('console', (message) => {
    // Ignores statuses, because Chromium logs every 4xx, which a test may expect. The responses are
    // checked below.
    const isStatus = /^Failed to load resource: the server responded/.test(message.text());
    const isBad = message.type() === 'error' || message.type() === 'warning';
    const isExpected = isStatus || expects?.test(message.text());
    if (isBad && !isExpected) watched.faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => watched.faults.push(`uncaught: ${error.stack ?? error}`));
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    watched.requests.push(`${request.method()} ${pathname}${search}`);
    const isExpected = isOwn(request.url()) || expects?.test(request.url());
    if (!isExpected) watched.faults.push(`a foreign request: ${request.url()}`);
  });
  page.on('response', (response) => {
    const fault = faultOf(response);
    if (fault && !expects?.test(fault)) watched.faults.push(fault);
  });
  return watched;
}

function faultOf(response: Response): string | null {
  const [status, url] = [response.status(), response.url()];
  const isFile = /\/assets\//.test(url);
  return status >= 500 || (isFile && status >= 400) ? `${status} of ${url}` : null;
}
