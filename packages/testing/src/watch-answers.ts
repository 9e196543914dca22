import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';

export interface SeenAnswer {
  method: string;
  path: string | undefined;
  status: number;
  body: unknown;
  isHead: boolean;
  isPage: boolean;
}

/** Collects only JSON, because other bodies, e.g. files and streams, may have any length. */
function sentText(response: ServerResponse): () => string {
  const parts: Buffer[] = [];
  const keep = ([chunk]: unknown[]) => {
    const isJson = String(response.getHeader('content-type')).startsWith('application/json');
    if (isJson && typeof chunk === 'string') parts.push(Buffer.from(chunk));
    else if (isJson && chunk instanceof Uint8Array) parts.push(Buffer.from(chunk));
  };
  const { write, end } = response;
  response.write = ((...given: unknown[]) => {
    keep(given);
    return write.apply(response, given as never);
  }) as typeof write;
  response.end = ((...given: unknown[]) => {
    keep(given);
    return end.apply(response, given as never);
  }) as typeof end;
  return () => Buffer.concat(parts).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function watchAnswers(
  app: RequestListener,
  faultOf: (answer: SeenAnswer) => string | null,
): { server: Server; faults: Set<string> } {
  const faults = new Set<string>();
  const server = createServer(
    (request: IncomingMessage & { route?: { path: string } }, response) => {
      const text = sentText(response);
      response.on('finish', () => {
        const isHead = request.method === 'HEAD';
        const method = isHead ? 'GET' : (request.method ?? '');
        const path = request.route?.path;
        const body = isHead ? undefined : parsed(text());
        const isHtml = String(response.getHeader('content-type')).startsWith('text/html');
        const isPage = isHtml && response.getHeader('x-frame-options') === 'DENY';
        if (response.hasHeader('preference-applied')) return;
        const { statusCode: status } = response;
        const fault = faultOf({ method, path, status, body, isHead, isPage });
        if (fault) faults.add(`${method} ${path ?? 'elsewhere'}: ${fault}`);
      });
      app(request, response);
    },
  );
  return { server, faults };
}
