import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PROPAGATION_MS = 1_000;

export function endpoints() {
  const known = new Set();
  return {
    set: async (address, isReady) => {
      await sleep(PROPAGATION_MS);
      if (isReady) known.add(address);
      else known.delete(address);
    },
    next: () => {
      const [first] = known;
      if (first === undefined) return undefined;
      known.delete(first);
      known.add(first);
      return first;
    },
  };
}

const listen = (server, port = 0) =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server.address().port)));

/**
 * Acts as a Service for callers inside the cluster: each connection goes to one pod and stays with
 * it.
 */
export async function insideCluster(ready, port, ownPort) {
  const server = net.createServer((socket) => {
    const address = ready.next();
    if (!address) return void socket.destroy();
    const upstream = net.connect(port, address);
    socket.pipe(upstream).pipe(socket);
    const end = () => {
      socket.destroy();
      upstream.destroy();
    };
    for (const each of [socket, upstream]) each.once('error', end).once('close', end);
  });
  return { port: await listen(server, ownPort), close: () => server.close() };
}

/**
 * Acts as the ingress: sends the headers of an ingress that terminates TLS, keeps connections to
 * the pods, and repeats no request. Answers 502 if a pod does not reply.
 */
export async function ingress(ready, port) {
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    const host = ready.next();
    if (!host) return void response.writeHead(503).end();
    const headers = {
      ...request.headers,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': request.socket.remoteAddress,
    };
    delete headers.connection;
    const { method, url } = request;
    const upstream = http.request({ host, port, method, path: url, headers, agent }, (answer) => {
      const { connection: _, 'transfer-encoding': __, ...rest } = answer.headers;
      response.writeHead(answer.statusCode, rest);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    upstream.once('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    request.pipe(upstream);
  });
  return {
    port: await listen(server),
    close: () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
