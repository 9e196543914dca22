import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface TestProxy {
  url: string;
  close(): Promise<void>;
}

export interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  status: number;
}

export async function serveReverseProxy(
  target: string,
  tls: { key: string; certificate: string },
  patienceMs: number,
): Promise<TestProxy & { port: number; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createSecureServer({ key: tls.key, cert: tls.certificate }, async (from, to) => {
    const body = await wholeOf(from);
    const { url: path = '', method, headers } = from;
    const passed = { ...headers, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
    const sent = request(new URL(path, target), { method, headers: passed });
    const late = setTimeout(() => sent.destroy(new Error('late')), patienceMs);
    sent.on('response', async (answer) => {
      const text = await wholeOf(answer);
      clearTimeout(late);
      const { statusCode = 0 } = answer;
      seen.push({ path, headers, body, status: statusCode });
      to.writeHead(statusCode, answer.headers).end(text);
    });
    sent.on('error', () => {
      clearTimeout(late);
      seen.push({ path, headers, body, status: 504 });
      to.writeHead(504, { 'content-type': 'text/html' }).end('<h1>504 Gateway Time-out</h1>');
    });
    sent.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `https://127.0.0.1:${port}`, port, seen, close };
}

export async function serveForwardProxy(
  ports: Record<string, number>,
): Promise<TestProxy & { asked: string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '' }: IncomingMessage, client: Socket) => {
    asked.push(url);
    const port = ports[url];
    if (port === undefined) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const remote = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(remote).pipe(client);
    });
    for (const socket of [client, remote]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        (socket === client ? remote : client).destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

async function wholeOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
