import { MCP_PATH } from '@switchyard/mcp';
import { Agent, request } from 'undici';

export interface Question {
  method: string;
  path: string;
  headers?: Record<string, string | undefined> | undefined;
  body?: unknown;
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

const isSent = (body: unknown): body is string | Uint8Array | undefined =>
  body === undefined || typeof body === 'string' || body instanceof Uint8Array;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function openAsker(url: string) {
  const dispatcher = new Agent({ connections: 8 });
  const ask = async (question: Question): Promise<Reply> => {
    const { method, path, body } = question;
    const { statusCode, headers, ...rest } = await request(`${url}${path}`, {
      dispatcher,
      method: method as 'GET',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...question.headers,
      },
      body: isSent(body) ? (body ?? null) : JSON.stringify(body),
    });
    const isStream = String(headers['content-type']).startsWith('text/event-stream');
    if (isStream && path.split('?')[0] === MCP_PATH) {
      const [, message = ''] = /^data: (.*)$/m.exec(await rest.body.text()) ?? [];
      return { status: statusCode, headers, body: parsed(message) };
    }
    if (isStream) {
      rest.body.on('error', () => undefined).destroy();
      return { status: statusCode, headers, body: '' };
    }
    return { status: statusCode, headers, body: parsed(await rest.body.text()) };
  };
  return { ask, close: () => dispatcher.destroy() };
}

export type Ask = ReturnType<typeof openAsker>['ask'];
