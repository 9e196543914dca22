import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { post } from '../shared/build-company.mjs';

const AGENTS = 50;
const UPLOAD_BYTES = 256 * 1024;

const json = async (url, method, body) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

export function upload(url, bytes) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'file.bin');
  return fetch(url, { method: 'POST', body: form });
}

function openStream(url) {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume().on('error', () => undefined);
      resolve({ status: response.statusCode, close: () => request.destroy() });
    });
    request.on('error', reject);
  });
}

export async function buildGreedy(api) {
  const { id } = await post(`${api}/companies`, { name: 'Greedy' });
  const at = `${api}/companies/${id}`;
  const agents = [];
  for (let n = 0; n < AGENTS; n++) {
    const fields = { maxConcurrentRuns: 50, adapterType: 'process' };
    const adapterConfig = { command: 'sleep', args: ['3600'] };
    agents.push(await post(`${at}/agents`, { name: `Sleeper ${n}`, ...fields, adapterConfig }));
  }
  const issue = await post(`${at}/issues`, { title: 'Files' });
  const files = `${at}/issues/${issue.id}/attachments`;
  let stored = 0;
  for (let status = 201; status === 201; stored += status === 201 ? 1 : 0) {
    status = (await upload(files, UPLOAD_BYTES)).status;
  }
  let streams = [];
  const running = async () => (await json(`${at}/dashboard`, 'GET')).runs.running;

  return {
    stored,
    press: async () => {
      await json(at, 'PATCH', { status: 'active' });
      for (let status = 200; status === 200; ) {
        const stream = await openStream(`${at}/events`);
        status = stream.status;
        if (status === 200) streams.push(stream);
        else stream.close();
      }
      for (const agent of agents) await post(`${api}/agents/${agent.id}/heartbeat/invoke`, {});
      let slots = -1;
      for (let now = await running(); now !== slots; now = await running()) {
        slots = now;
        await delay(2_000);
      }
      return { streams: streams.length, slots };
    },
    release: async () => {
      for (const stream of streams) stream.close();
      streams = [];
      await json(at, 'PATCH', { status: 'paused' });
      while ((await running()) > 0) await delay(200);
      await delay(1_000);
    },
  };
}
