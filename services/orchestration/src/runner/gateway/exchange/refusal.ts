import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from '@switchyard/server/lingering-close';
import type { ErrorCode } from '@switchyard/types';

/** Why something is not passed on, in words for the agent and for the person who reads its output. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Where a caller of our API expects one; other clients get text. */
    readonly code: ErrorCode | null = null,
  ) {
    super(message);
  }
}

export function answerRefusal(response: ServerResponse, { status, message, code }: Refusal): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const body = code === null ? `${message}\n` : JSON.stringify({ error: message, code });
  const type = code === null ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(status, phrase(message), {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

const STATUS_LINES: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Likewise on a bare socket, which is closed however its other end behaves. */
export function closeWithRefusal(socket: Socket, { status, message }: Refusal): void {
  if (!socket.writable) return void socket.destroy();
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_LINES[status] ?? 'Error'}: ${phrase(message)}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(message) + 1}`,
    'connection: close',
  ];
  closeLingering(socket, `${lines.join('\r\n')}\r\n\r\n${message}\n`);
}

/** Python's clients show the phrase alone, and others nothing but the number. */
const phrase = (message: string) => message.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
