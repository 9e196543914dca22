import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lingerAfterEarlyAnswers } from '@switchyard/server/lingering-close';
import { ownHosts } from '@switchyard/server/own-hosts';
import type { Runner } from './start-runner';
import { type Disk, readDisk } from './watch-room';

export interface Probes {
  port: number;
  close(): Promise<void>;
}

interface Served {
  host: string;
  port: number;
  prometheusHosts: string[];
  capacity: number;
  dataDir: string;
  sandbox: { driver: string; detail: string };
}

export async function serveProbes(
  runner: Pick<Runner, 'problem' | 'busy'>,
  served: Served,
): Promise<Probes> {
  const isOwn = ownHosts({ names: served.prometheusHosts, addresses: 'any' });
  const server = createServer((request, response) => {
    if (!isOwn(request.headers.host)) {
      return send(response, 403, 'text/plain', 'the Host header does not name this server\n');
    }
    switch (request.url?.split('?')[0]) {
      case '/livez':
        return send(response, 200, 'text/plain', 'ok\n');
      case '/readyz':
        return sendReadiness(response, runner.problem());
      case '/metrics':
        return void sendPage(response, runner, served);
      default:
        return send(response, 404, 'text/plain', 'not found\n');
    }
  });
  lingerAfterEarlyAnswers(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const cause =
        error.code === 'EADDRINUSE' ? 'the port is used by another program' : error.message;
      reject(new Error(`cannot listen on ${served.host}:${served.port}: ${cause}`));
    });
    server.listen(served.port, served.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendReadiness(response: ServerResponse, problem: string | null): void {
  send(response, problem === null ? 200 : 503, 'text/plain', `${problem ?? 'ready'}\n`);
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'Content-Type': type });
  response.end(text);
}

async function sendPage(
  response: ServerResponse,
  runner: Pick<Runner, 'busy'>,
  served: Served,
): Promise<void> {
  const page = pageOf(runner, served, await readDisk(served.dataDir));
  send(response, 200, 'text/plain; version=0.0.4', page);
}

/** Uses no library, because a library would use a tenth of an idle runner's memory. */
function pageOf(
  runner: Pick<Runner, 'busy'>,
  { capacity, sandbox }: Served,
  disk: Disk | null,
): string {
  const gauges: [string, string, string, number][] = [
    ['switchyard_runner_slots', '', 'Runs that this runner may execute concurrently', capacity],
    ['switchyard_runner_slots_busy', '', 'Runs that this runner is executing', runner.busy()],
    ['switchyard_runner_sandbox', `{driver="${sandbox.driver}"}`, 'Sandbox of the runs', 1],
    [
      'process_resident_memory_bytes',
      '',
      'Resident memory size in bytes.',
      process.memoryUsage.rss(),
    ],
    ...(disk ? roomOf(disk) : []),
  ];
  return gauges
    .map(
      ([name, labels, help, value]) =>
        `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}${labels} ${value}\n`,
    )
    .join('');
}

const roomOf = ({ freeBytes, sizeBytes }: Disk): [string, string, string, number][] => [
  ['switchyard_data_dir_free_bytes', '', 'Free bytes of the file system of DATA_DIR', freeBytes],
  ['switchyard_data_dir_size_bytes', '', 'Size of the file system of DATA_DIR', sizeBytes],
];
