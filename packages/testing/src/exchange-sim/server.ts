import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSimAccount, type SimAccount } from './account';
import { binance } from './binance';
import { bybit } from './bybit';
import { coinbase } from './coinbase';
import type { Dialect, SimRequest } from './dialect';
import { answerFault, FAULTS, type Fault } from './faults';
import { kraken } from './kraken';
import { createMarkets, type SimMarket } from './market';
import { okx } from './okx';

export const DIALECTS: Record<string, Dialect> = { binance, bybit, coinbase, kraken, okx };

export interface ExchangeSim {
  url: string;
  account: SimAccount;
  asked: string[];
  requests: string[];
  markets: readonly SimMarket[];
  fail(fault: Fault | null, path?: string): void;
  close(): Promise<void>;
}

/**
 * Simulates an exchange on loopback in a real exchange's dialect, so that tests use the real client
 * library. POST /__fault with `{ "mode": "503", "path": "/ticker" }` makes it fail, and `{ "mode":
 * null }` restores it.
 */
export async function startExchangeSim(options: {
  dialect: Dialect;
  seed: number;
  port?: number;
  latencyMs?: number;
  listed?: number;
  now?: () => number;
}): Promise<ExchangeSim> {
  const { dialect, seed, port = 0, latencyMs = 0, listed, now = Date.now } = options;
  const account = { ...createSimAccount(), ...dialect.keys?.() };
  const markets = createMarkets(seed, listed);
  const asked: string[] = [];
  const requests: string[] = [];
  let sick: { fault: Fault; path: string } | null = null;
  const fail = (fault: Fault | null, path = '') => {
    sick = fault && { fault, path };
  };

  const answer = async (message: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Date', new Date(now()).toUTCString());
    const url = new URL(message.url ?? '/', 'http://localhost');
    const body = await bodyOf(message);
    if (url.pathname === '/__fault') {
      const { mode, path } = JSON.parse(body || '{}') as { mode?: Fault; path?: string };
      if (mode && !FAULTS.includes(mode)) return sendJson(response, 400, { faults: FAULTS });
      fail(mode ?? null, path);
      return sendJson(response, 200, { mode: mode ?? null, path: path ?? '' });
    }
    asked.push(url.pathname);
    requests.push(`${url.pathname}${url.search} ${body}`);
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    if (sick && url.pathname.includes(sick.path)) return answerFault(sick.fault, response);
    const request: SimRequest = {
      method: message.method ?? 'GET',
      path: url.pathname,
      search: url.search.slice(1),
      query: url.searchParams,
      body,
      header: (name) => message.headers[name] as string | undefined,
    };
    const found = dialect({ account, markets, now }, request);
    if (typeof found?.body === 'string') sendText(response, found.status, found.body);
    else if (found) sendJson(response, found.status, found.body);
    else sendJson(response, 404, { msg: `no path ${url.pathname}` });
  };

  const server = createServer((message, response) => {
    answer(message, response).catch((error: Error) => {
      if (!response.headersSent) sendJson(response, 400, { msg: error.message });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    account,
    asked,
    requests,
    markets,
    fail,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain' });
  response.end(text);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
