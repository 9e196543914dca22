import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { silentLogger } from '@switchyard/server';
import { RUNNER_PROTOCOL } from '@switchyard/types';
import { RUNNER_TOKEN, type StandInServer, serveStandIn } from '../test/stand-in-server';
import { createRunnerParts } from './runner-parts';
import { readRunnerSettings } from './runner-settings';
import { startOneRun } from './start-one-run';

describe('startOneRun()', () => {
  let server: StandInServer;
  let folder: string;
  beforeEach(async () => {
    server = await serveStandIn();
    folder = await mkdtemp(join(tmpdir(), 'switchyard-pod-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const serveRedeem = async (redeemed: object) => {
    const asked = createGate();
    const answered = createGate();
    const serve = async (request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.endsWith('/redeem')) {
        asked.open();
        await answered.opened;
        return void response.end(JSON.stringify(redeemed));
      }
      const { 'x-run-ticket': ticket = '', 'content-type': type = '' } = request.headers;
      const reply = await fetch(`${server.url}${request.url}`, {
        method: request.method ?? 'POST',
        headers: {
          Authorization: `Bearer ${RUNNER_TOKEN}`,
          'Content-Type': type,
          'X-Run-Ticket': String(ticket),
        },
        body: new Uint8Array(await buffer(request)),
      });
      response.writeHead(reply.status).end(await reply.text());
    };
    const front = createServer((request, response) => void serve(request, response));
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    return { url, asked: asked.opened, answer: answered.open, close: () => front.close() };
  };

  it('hands the run back without starting it if a stop is requested while the ticket is redeemed', async () => {
    const args = ['-e', "console.log('at work')"];
    const run = server.offer({ config: { command: process.execPath, args, timeoutSec: 60 } });
    const { assignment } = run;
    const instance = assignment.runId;
    const front = await serveRedeem({
      protocol: RUNNER_PROTOCOL,
      leaseMs: 30_000,
      heartbeatMs: 50,
      instance,
      assignment,
    });
    const ticketFile = join(folder, 'ticket');
    await writeFile(ticketFile, `syt_${assignment.runId}.1.${'x'.repeat(43)}`);
    const settings = readRunnerSettings({
      RUNNER_URL: front.url,
      RUNNER_TICKET_FILE: ticketFile,
      DATA_DIR: folder,
      SANDBOX: 'off',
      PATH: process.env.PATH,
    });
    const { url } = front;
    const parts = createRunnerParts(settings);
    const one = startOneRun({ ...parts, ...settings, url, ticketFile, logger: silentLogger });
    await front.asked;
    const closed = one.close({ handOverAfterMs: 0, killAfterMs: 5_000 });
    front.answer();
    await closed;
    front.close();
    expect(run).toMatchObject({ released: { isFault: false }, outcome: null });
    expect(run.log.toString()).not.toContain('at work');
  });
});

function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
