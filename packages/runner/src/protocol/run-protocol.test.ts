import { RUNNER_PROTOCOL } from '@switchyard/types';
import { RUNNER_TOKEN, serveStandIn } from '../../test/stand-in-server';
import { OutdatedServer } from './request';
import { openRunProtocol } from './run-protocol';

describe('RunProtocol.hello()', () => {
  const greet = async (version: number | undefined) => {
    const server = await serveStandIn();
    server.state.protocol = version;
    const protocol = openRunProtocol(server.url, RUNNER_TOKEN);
    const said = await protocol
      .hello({
        name: 'one',
        instance: '018f0000-0000-7000-8000-000000000000',
        labels: [],
        capacity: 1,
        sandbox: { driver: 'off', detail: '' },
        probes: [],
      })
      .catch((error: unknown) => error);
    protocol.close();
    await server.close();
    return said;
  };

  it('accepts a server with the same or a later protocol version', async () => {
    expect(await greet(RUNNER_PROTOCOL)).toMatchObject({ leaseMs: 1_500 });
    expect(await greet(RUNNER_PROTOCOL + 1)).toMatchObject({ leaseMs: 1_500 });
  });

  it('rejects a server with an earlier version, and the error names both versions', async () => {
    const refused = await greet(undefined);
    expect(refused).toBeInstanceOf(OutdatedServer);
    expect((refused as Error).message).toContain(
      `version 1 of the runner protocol, but this runner requires version ${RUNNER_PROTOCOL}`,
    );
  });
});
