import { tmpdir } from 'node:os';
import { request } from 'undici';
import { serveProbes } from './serve-probes';

it.each([
  ['127.0.0.1:3103', 200],
  ['localhost', 200],
  ['runner.internal:3103', 200],
  ['page.example', 403],
])(
  'given the Host %s, serveProbes() responds with %d to requests for probes and metrics',
  async (host, status) => {
    const runner = { problem: () => null, busy: () => 0 };
    const probes = await serveProbes(runner, {
      host: '127.0.0.1',
      port: 0,
      prometheusHosts: ['runner.internal'],
      capacity: 1,
      dataDir: tmpdir(),
      sandbox: { driver: 'off', detail: '' },
    });
    try {
      for (const path of ['/livez', '/readyz', '/metrics']) {
        const answer = await request(`http://127.0.0.1:${probes.port}${path}`, {
          headers: { host },
        });
        await answer.body.dump();
        expect({ path, status: answer.statusCode }).toEqual({ path, status });
      }
    } finally {
      await probes.close();
    }
  },
);
