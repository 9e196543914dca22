import type { ServerResponse } from 'node:http';

export const FAULTS = [
  '429',
  '418',
  '503',
  'limited',
  '403',
  'cut',
  'empty',
  'silence',
  'reset',
  'hang',
] as const;
export type Fault = (typeof FAULTS)[number];

const HTML = '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>';

export function answerFault(fault: Fault, response: ServerResponse): void {
  if (fault === 'silence') return;
  if (fault === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (fault === '403') {
    response.writeHead(403, { 'Content-Type': 'text/html' });
    response.end('<html><body><h1>403 Forbidden</h1></body></html>');
    return;
  }
  const json = { 'Content-Type': 'application/json' };
  if (fault === '429') {
    response.writeHead(429, { ...json, 'Retry-After': '7' });
    response.end('{"code":-1003,"msg":"Too many requests."}');
  } else if (fault === '418') {
    response.writeHead(418, json);
    const until = Date.now() + 90_000;
    response.end(
      `{"code":-1003,"msg":"Way too much request weight used; IP banned until ${until}."}`,
    );
  } else if (fault === 'limited') {
    response.writeHead(200, json);
    response.end('{"error":["EAPI:Rate limit exceeded"],"code":-1003,"msg":"Too many requests."}');
  } else if (fault === '503') {
    response.writeHead(503, { 'Content-Type': 'text/html' });
    response.end(HTML);
  } else if (fault === 'cut') {
    response.writeHead(200, json);
    response.end('{"error":[],"result":{"symbol":"BTCUSDT","lastPri');
  } else if (fault === 'empty') {
    response.writeHead(200, json);
    response.end('{}');
  } else {
    response.writeHead(200, { ...json, 'Content-Length': '5000' });
    response.write('{"error":[],');
  }
}
