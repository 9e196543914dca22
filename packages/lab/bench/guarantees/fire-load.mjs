import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { triggers, url, isForged, perSecond, connections } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const EVENT = {
  event: 'push',
  commits: Array.from({ length: 20 }, (_, n) => `commit ${n} ${'x'.repeat(80)}`),
};

function fire(trigger) {
  const body = JSON.stringify({ ...EVENT, id: randomUUID() });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const secret = isForged ? 'a forger knows everything but this' : trigger.secret;
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const options = {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-service-timestamp': timestamp,
      'x-service-signature': `sha256=${signature}`,
    },
  };
  return new Promise((resolve) => {
    const started = performance.now();
    const settle = (status) => resolve({ status, ms: performance.now() - started });
    request(`${url}/api/routine-triggers/public/${trigger.publicId}/fire`, options, (response) => {
      response.resume().on('end', () => settle(response.statusCode));
    })
      .on('error', () => settle(0))
      .end(body);
  });
}

const found = [];
let next = 0;
const one = async () => void found.push(await fire(triggers[next++ % triggers.length]));

/** Sends at a fixed rate: a sender that waits for slow answers would measure too few of them. */
async function atRate(until) {
  const open = [];
  const started = performance.now();
  for (let count = 0; performance.now() < until; count++) {
    open.push(one());
    const pause = started + ((count + 1) * 1_000) / perSecond - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, pause)));
  }
  await Promise.all(open);
}

async function atOnce(until) {
  const lane = async () => {
    while (performance.now() < until) await one();
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

const until = performance.now() + workerData.ms;
await (perSecond === null ? atOnce(until) : atRate(until));
agent.destroy();
parentPort.postMessage(found);
