import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { type Listening, listen } from './lifecycle';

const BUILT = join(__dirname, '../dist');

describe('listen', () => {
  const open: Listening[] = [];
  const held: (() => void)[] = [];
  const arrivals = new EventEmitter();
  const app = express();
  app.get('/quick', (_request, response) => void response.send('quick'));
  app.get('/slow', (_request, response) => {
    held.push(() => response.send('slow'));
    arrivals.emit('slow');
  });
  const start = async (port = 0) => {
    const listening = await listen(app, '127.0.0.1', port);
    open.push(listening);
    return listening;
  };
  const ask = (port: number, path: string, agent: Agent) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, agent };
      get(options, (response) => resolve(response.resume())).on('error', reject);
    });

  afterEach(async () => {
    held.length = 0;
    await Promise.all(open.splice(0).map((listening) => listening.close(0)));
  });

  it('throws an error with host and port if it cannot listen on them', async () => {
    const { port } = await start();
    await expect(start(port)).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: the port is used by another program`,
    );
    await expect(listen(app, '203.0.113.1', 0)).rejects.toThrow('cannot listen on 203.0.113.1:0:');
  });

  it('finishes open requests on close, accepts no new requests, and does not wait for idle connections', async () => {
    const { port, close } = await start();
    const agent = new Agent({ keepAlive: true });
    await ask(port, '/quick', agent);
    const arrived = once(arrivals, 'slow');
    const slow = ask(port, '/slow', agent);
    await arrived;
    const closed = close(60_000);
    await expect(ask(port, '/quick', new Agent())).rejects.toThrow('ECONNREFUSED');
    held[0]?.();
    expect((await slow).statusCode).toBe(200);
    await closed;
    agent.destroy();
  });

  it('closes open connections when the deadline passed to close() has elapsed', async () => {
    const { port, close } = await start();
    const arrived = once(arrivals, 'slow');
    const slow = ask(port, '/slow', new Agent());
    slow.catch(() => undefined);
    await arrived;
    await close(20);
    await expect(slow).rejects.toThrow('socket hang up');
  });
});

describe('runProcess', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const run = async (stop: string, graceMs = 60_000, start = '') => {
    const script = `
      const { main, runProcess, silentLogger } = require(${JSON.stringify(BUILT)});
      const say = (word) => process.stdout.write(word + '\\n');
      const logger = { ...silentLogger, error: (message) => say('error: ' + message) };
      setInterval(() => {}, 1000);
      main(async () => {
        await runProcess(logger, ${graceMs}, async (giveUp) => {
          ${start}
          return { stop: async () => { say('stop'); ${stop} } };
        });
        say('ready');
      });`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    const said = { text: '', errors: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      said.text += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said.errors += chunk;
    });
    const exit = once(child, 'close') as Promise<[number | null, string | null]>;
    const hears = async (word: string) => {
      while (!said.text.includes(word)) await once(child.stdout, 'data');
    };
    return { child, said, exit, hears };
  };

  it.each(['SIGTERM', 'SIGINT'] as const)('stops after %s and exits with 0', async (signal) => {
    const { child, said, exit, hears } = await run(
      "await new Promise((done) => setTimeout(done, 20)); say('stopped');",
    );
    await hears('ready');
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    expect(said).toEqual({ text: 'ready\nstop\nstopped\n', errors: '' });
  });

  it('stops and exits with 0 if the signal arrives during the start', async () => {
    const { child, said, exit, hears } = await run(
      '',
      60_000,
      "say('starting'); await new Promise((done) => process.once('SIGTERM', () => setImmediate(done)));",
    );
    await hears('starting');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(said.text).toContain('starting\n');
    expect(said.text).toContain('stop\n');
  });

  it('exits with 1 if the stop fails or takes longer than the grace period', async () => {
    for (const [stop, grace, message] of [
      ["throw new Error('x');", 60_000, 'stop failed'],
      ['await new Promise(() => {});', 20, 'shutdown took longer than the grace period'],
    ] as const) {
      const { child, said, exit, hears } = await run(stop, grace);
      await hears('ready');
      child.kill('SIGTERM');
      expect(await exit).toEqual([1, null]);
      expect(said.text).toContain(`ready\nstop\nerror: ${message}`);
    }
  });

  it('exits immediately after a second signal', async () => {
    const { child, said, exit, hears } = await run('await new Promise(() => {});');
    await hears('ready');
    child.kill('SIGTERM');
    await hears('stop');
    child.kill('SIGINT');
    expect(await exit).toEqual([1, null]);
    expect(said.text).toContain('ready\nstop\n');
  });

  it('stops and exits with 1 after an unhandled rejection', async () => {
    const { said, exit } = await run(
      '',
      60_000,
      "setTimeout(() => Promise.reject(new Error('x')));",
    );
    expect(await exit).toEqual([1, null]);
    expect(said.text).toBe('ready\nerror: unhandled rejection\nstop\n');
  });

  it('logs the reason passed to giveUp, stops, and exits with 1', async () => {
    const { said, exit } = await run('', 60_000, "setTimeout(() => giveUp('refused'));");
    expect(await exit).toEqual([1, null]);
    expect(said).toEqual({ text: 'ready\nerror: refused\nstop\n', errors: '' });
  });

  it('prints the reason for a failed start as one line, and exits with 1', async () => {
    const { said, exit } = await run('', 60_000, "throw new Error('port 1 is taken');");
    expect(await exit).toEqual([1, null]);
    expect(said).toEqual({ text: '', errors: 'port 1 is taken\n' });
  });
});
