import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer,
  type LookupFunction,
  type Socket,
} from 'node:net';
import { type Gateway, type GatewayOptions, openGateway } from '../../src/gateway/open-gateway';
import { createProviderMeter } from '../../src/gateway/usage/provider-meter';

export const RUN_TOKEN = 'the-token-of-this-run';

export function resolver(names: Record<string, string[]>): LookupFunction {
  return (hostname, options, callback) => {
    const found = (names[hostname] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    const [first] = found;
    if (!first) {
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '', 0);
    } else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

const closers: (() => Promise<void>)[] = [];

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

export async function serve(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { server, port: (server.address() as AddressInfo).port };
}

export interface StartedGateway {
  port: number;
  url: string;
  gateway: Gateway;
  lines: string[];
  open: Set<Socket>;
}

export async function startGateway(
  options: Partial<GatewayOptions> & { apiUrl: string },
): Promise<StartedGateway> {
  const lines: string[] = [];
  const gateway = openGateway({
    run: { id: randomUUID(), companyId: randomUUID(), token: RUN_TOKEN },
    publicUrl: options.apiUrl,
    rules: { allowedHosts: [] },
    allowList: null,
    proxySecret: null,
    repositories: [],
    providers: {},
    collector: null,
    meter: createProviderMeter({ reserve: async () => ({ settle: () => {} }) }),
    onHost: (line) => lines.push(line),
    ...options,
  });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    gateway.accept(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  closers.push(async () => {
    await gateway.close();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port, url: `http://127.0.0.1:${port}`, gateway, lines, open };
}

export function sendBytes(port: number, ...parts: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('connect', async () => {
      for (const part of parts) await new Promise((sent) => socket.write(part, sent));
    });
  });
}
