import express from 'express';
import supertest from 'supertest';
import { finishApplication } from '../http/mount';
import { silentLogger } from '../logging/logger';
import { ownHosts, ownHostsOnly } from './own-hosts';

const FOREIGN = [
  'example.com',
  'example.com:9464',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '10-0-0-1.example.com',
  '127.0.0.1@example.com',
  'api.internal.example.com',
  'localhost.',
  '::1',
  '',
  'not a host',
  undefined,
];

describe('ownHosts', () => {
  it('accepts loopback names in any spelling and on any port', () => {
    const isOwn = ownHosts({});
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:80', '[::1]', '[::1]:9464']) {
      expect({ host, own: isOwn(host) }).toEqual({ host, own: true });
    }
    for (const host of [...FOREIGN, '10.0.0.7', '[fd00::7]', 'api']) {
      expect({ host, own: isOwn(host) }).toEqual({ host, own: false });
    }
  });

  it('accepts the configured names and URLs', () => {
    const isOwn = ownHosts({ names: ['api', 'https://Board.example.com/x', 'worker:3101'] });
    for (const host of ['api:3100', 'board.example.com', 'worker', 'localhost']) {
      expect({ host, own: isOwn(host) }).toEqual({ host, own: true });
    }
    for (const host of [...FOREIGN, 'api.example.com', 'example.com', '10.0.0.7']) {
      expect({ host, own: isOwn(host) }).toEqual({ host, own: false });
    }
  });

  it('accepts any IP address if addresses are set to any, but no foreign host name', () => {
    const isOwn = ownHosts({ addresses: 'any' });
    for (const host of ['10.0.0.7:9464', '192.0.2.1', '[fd00::7]:3101', '[::ffff:10.0.0.7]']) {
      expect({ host, own: isOwn(host) }).toEqual({ host, own: true });
    }
    for (const host of FOREIGN) {
      expect({ host, own: isOwn(host) }).toEqual({ host, own: false });
    }
  });
});

test('ownHostsOnly returns 403 in the error format for a foreign Host', async () => {
  const app = express();
  app.use(ownHostsOnly({}));
  app.get('/', (_request, response) => {
    response.send('mine');
  });
  finishApplication(app, silentLogger);
  expect((await supertest(app).get('/')).text).toBe('mine');
  const refused = await supertest(app).get('/').set('Host', 'example.com');
  expect({ status: refused.status, body: refused.body }).toMatchObject({
    status: 403,
    body: { code: 'forbidden', error: 'the Host header must name this server' },
  });
});
