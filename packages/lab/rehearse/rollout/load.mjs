import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_AFTER_MS = 250;

export function openClient(port) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const count = { requests: 0, retried: 0, failed: [], slowestMs: 0 };
  let cookie = '';

  const attempt = (method, path, text, key) =>
    new Promise((resolve, reject) => {
      const headers = {
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...(cookie && { cookie }),
        ...(method === 'POST' && { 'idempotency-key': key }),
      };
      const options = {
        host: '127.0.0.1',
        port,
        method,
        path: `/api${path}`,
        headers,
        agent,
        timeout: 20_000,
      };
      const request = http.request(options, (response) => {
        let answer = '';
        response.on('data', (chunk) => {
          answer += chunk;
        });
        response.once('error', reject);
        response.once('end', () => {
          const { statusCode: status, headers: given } = response;
          if (status >= 500) return reject(new Error(`${status} ${answer.slice(0, 200)}`));
          resolve({ status, headers: given, body: answer ? JSON.parse(answer) : null });
        });
      });
      request.once('timeout', () => request.destroy(new Error('timeout')));
      request.once('error', reject);
      request.end(text);
    });

  async function ask(method, path, body) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const key = randomUUID();
    const begun = performance.now();
    count.requests += 1;
    try {
      const answer = await attempt(method, path, text, key).catch(async () => {
        count.retried += 1;
        await sleep(RETRY_AFTER_MS);
        return attempt(method, path, text, key);
      });
      if (answer.status >= 400) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    } catch (error) {
      count.failed.push(`${method} ${path}: ${error.message}`);
      throw error;
    } finally {
      count.slowestMs = Math.max(count.slowestMs, Math.round(performance.now() - begun));
    }
  }

  return {
    ask,
    count,
    signIn: async (token) => {
      const person = { email: 'ada@example.com', password: 'a long enough password', name: 'Ada' };
      const { headers, status } = await attempt(
        'POST',
        '/auth/bootstrap',
        JSON.stringify({ ...person, token }),
        randomUUID(),
      );
      if (status !== 201) throw new Error(`sign-in returned ${status}`);
      cookie = headers['set-cookie'].find((text) => text.includes('service.sid=')).split(';')[0];
    },
    close: () => agent.destroy(),
  };
}

export function keepBusy(client, companyId, places) {
  let isOver = false;
  const day = async () => {
    while (!isOver) {
      try {
        const issue = await client.ask('POST', `/companies/${companyId}/issues`, {
          title: 'Look at this',
        });
        await client.ask('GET', `/issues/${issue.id}`);
        await client.ask('POST', `/issues/${issue.id}/comments`, { body: 'Seen.' });
        await client.ask('PATCH', `/issues/${issue.id}`, { title: 'Looked at' });
        await client.ask('GET', `/companies/${companyId}/issues?limit=20`);
        await client.ask('PATCH', `/issues/${issue.id}`, { status: 'cancelled' });
      } catch {}
      await sleep(150);
    }
  };
  const busy = Promise.all(Array.from({ length: places }, day));
  return {
    stop: async () => {
      isOver = true;
      await busy;
    },
  };
}

export function keepWaking(client, companyId, agents) {
  let isOver = false;
  const runs = new Set();
  const wakeAgain = async (agent) => {
    while (!isOver) {
      try {
        const issue = await client.ask('POST', `/companies/${companyId}/issues`, {
          title: 'Work',
          status: 'todo',
        });
        const run = await client.ask('POST', `/agents/${agent.id}/heartbeat/invoke`, {
          issueId: issue.id,
        });
        runs.add(run.id);
        for (let at = run; !at.finishedAt && !isOver; ) {
          await sleep(300);
          at = await client.ask('GET', `/heartbeat-runs/${run.id}`);
        }
      } catch {
        await sleep(500);
      }
    }
  };
  const waking = Promise.all(agents.map(wakeAgain));
  return {
    runs,
    stop: async () => {
      isOver = true;
      await waking;
    },
  };
}
