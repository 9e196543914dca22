import { type Listening, listen } from '@switchyard/server';
import { hasProgram, SENDING_CLIENTS } from '@switchyard/testing';
import { Registry } from 'prom-client';
import { startHarness } from '../../test/harness';
import { createApplication } from '../app';

const TOKEN = 'a-token-that-only-the-tests-know';
const KNOWN = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
const TIMES = 10;

describe('a body that the service rejects before reading it', () => {
  let harness: Awaited<ReturnType<typeof startHarness>>;
  let listening: Listening;

  beforeAll(async () => {
    harness = await startHarness({ env: { METRICS_TOKEN: TOKEN } });
    const context = { ...harness.context, registry: new Registry() };
    listening = await listen(createApplication(context), '127.0.0.1', 0);
  });
  afterAll(async () => {
    await listening.close(0);
    await harness.close();
  });

  it.each(Object.entries(SENDING_CLIENTS))(
    'causes a response that the client receives: %s',
    async (_, { send, program }) => {
      if (program && !(await hasProgram(program))) {
        process.stderr.write(`not tried: ${program} is not installed\n`);
        return;
      }
      const requests: [number, string, string, Record<string, string>][] = [
        [401, 'POST', '/metrics/collect', { ...KNOWN, authorization: 'Token nonsense' }],
        [403, 'POST', '/metrics/collect', { ...KNOWN, origin: 'https://evil.example' }],
        [404, 'POST', '/nothing', KNOWN],
        [405, 'DELETE', '/metrics/collect', KNOWN],
        [413, 'POST', '/metrics/collect', KNOWN],
      ];
      for (const [status, method, path, headers] of requests) {
        const url = `http://127.0.0.1:${listening.port}${path}`;
        const body = Buffer.alloc(6_000_000, 'x');
        const seen = await send({ url, method, headers, body, times: TIMES });
        expect([path, seen]).toEqual([path, Array(TIMES).fill(String(status))]);
      }
    },
  );
});
