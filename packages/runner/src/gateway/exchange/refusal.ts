import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from '@switchyard/server/lingering-close';
import type { ErrorCode } from '@switchyard/types';

/** The message must not contain secrets, because the agent and readers of its output see it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: ErrorCode | null = null,
    readonly body: object | null = null,
  ) {
    super(message);
  }
}

export function answerRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status, message, code } = refusal;
  if (response.headersSent || response.destroyed) return void response.destroy();
  const json = refusal.body ?? (code && { error: message, code });
  const body = json ? JSON.stringify(json) : `${message}\n`;
  const type = json ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(status, phrase(message), {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...(status === 407 && { 'proxy-authenticate': CHALLENGE }),
  });
  response.end(body);
}

const CHALLENGE = 'Basic realm="run"';

const STATUS_LINES: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function closeWithRefusal(socket: Socket, { status, message }: Refusal): void {
  if (!socket.writable) return void socket.destroy();
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_LINES[status] ?? 'Error'}: ${phrase(message)}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(message) + 1}`,
    'connection: close',
    ...(status === 407 ? [`proxy-authenticate: ${CHALLENGE}`] : []),
  ];
  closeLingering(socket, `${lines.join('\r\n')}\r\n\r\n${message}\n`);
}

/** Python's clients show only the reason phrase, other clients only the status. */
const phrase = (message: string) => message.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
