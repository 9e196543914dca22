import type { Logger } from '@switchyard/server';
import { addressOf } from '@switchyard/server';
import express from 'express';
import supertest from 'supertest';
import { trustProxies } from './trusted-proxies';

function seen(proxies: string[], peer: string) {
  const warnings: unknown[] = [];
  const logger: Pick<Logger, 'warn'> = { warn: (_message, fields) => warnings.push(fields) };
  const app = express();
  app.use((request, _response, next) => {
    Object.defineProperty(request.socket, 'remoteAddress', { value: peer, configurable: true });
    next();
  });
  trustProxies(app, proxies, logger);
  app.get('/', (request, response) => {
    response.send(addressOf(request));
  });
  const from = async (forwarded?: string) => {
    const asked = supertest(app).get('/');
    return (await (forwarded === undefined ? asked : asked.set('X-Forwarded-For', forwarded))).text;
  };
  return { from, warnings };
}

describe('the client address', () => {
  it.each([
    ['10.0.0.7', []],
    ['10.0.0.7', ['10.0.0.8']],
    ['10.1.0.7', ['10.0.0.0/16', 'loopback']],
    ['::ffff:10.1.0.7', ['10.0.0.0/16']],
    ['203.0.113.9', ['loopback', 'linklocal', 'uniquelocal']],
  ])(
    'equals the address of an untrusted peer, whatever X-Forwarded-For contains: peer %s, trusted %j',
    async (peer, proxies) => {
      const { from, warnings } = seen(proxies, peer);
      const own = peer.replace('::ffff:', '');
      expect(await from()).toBe(own);
      expect(warnings).toEqual([]);
      for (const forwarded of ['198.51.100.1', '198.51.100.1, 10.0.0.8', '127.0.0.1', 'x', '']) {
        expect(await from(forwarded)).toBe(own);
      }
      expect(warnings).toEqual([{ address: peer }]);
    },
  );

  it.each([
    ['10.0.0.7', ['10.0.0.7']],
    ['10.0.0.7', ['10.0.0.0/8']],
    ['::ffff:10.0.0.7', ['10.0.0.0/8']],
    ['127.0.0.1', ['loopback']],
    ['::1', ['loopback']],
    ['192.168.7.7', ['uniquelocal']],
    ['fd00::7', ['uniquelocal']],
    ['fe80::7', ['linklocal']],
    ['2001:db8::7', ['2001:db8::/64']],
  ])(
    'equals the address that a trusted proxy forwards: peer %s, trusted %j',
    async (peer, proxies) => {
      const { from, warnings } = seen(proxies, peer);
      expect(await from('198.51.100.1')).toBe('198.51.100.1');
      expect(await from('203.0.113.9, 198.51.100.1')).toBe('198.51.100.1');
      expect(await from(`203.0.113.9, 198.51.100.1, ${peer}`)).toBe('198.51.100.1');
      expect(warnings).toEqual([]);
    },
  );

  it('omits the ::ffff: prefix of IPv4, and contains only the /64 network of IPv6', async () => {
    const { from } = seen(['loopback'], '127.0.0.1');
    expect(await from('::ffff:198.51.100.1')).toBe('198.51.100.1');
    expect(await from('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64');
    expect(await from('2001:db8:0:1:ffff::2')).toBe('2001:db8:0:1::/64');
    expect(await from('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64');
    for (const nonsense of ['unknown', '198.51.100.1:80', 'x'.repeat(5_000)]) {
      expect(await from(nonsense)).toBe('unknown');
    }
  });
});
