import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.js';

const TIMEOUT_MS = 10_000;
const ATTEMPTS = 400;

interface Target {
  apis: string[];
  companyId: string;
  agents: { id: string; name: string }[];
}

/**
 * Sends random requests until `stop`. Writes each request to the journal before sending it, and its
 * outcome afterwards: `ok`, `fail` for a refusal, `unknown` without a response or with a 5xx. Sends
 * a request with an unknown outcome again with the same key.
 */
export function startLoad(target: Target, journal: string, random: Random, clients: number) {
  const stop = new AbortController();
  const counts = { ok: 0, fail: 0, unknown: 0, left: 0 };
  const write = (entry: object) =>
    appendFileSync(journal, `${JSON.stringify({ at: Date.now(), ...entry })}\n`);

  const attempt = async (path: string, key: string, body: object) => {
    try {
      const response = await fetch(`${random.of(target.apis)}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = (await response.json()) as { id?: string; code?: string };
      if (response.status >= 500 || response.status === 429) return { end: 'unknown' as const };
      if (response.ok) return { end: 'ok' as const, id: answer.id };
      return { end: 'fail' as const, code: answer.code };
    } catch {
      return { end: 'unknown' as const };
    }
  };

  const request = async (op: string, path: string, body: object, token: string) => {
    const key = randomUUID();
    for (let count = 1; count <= ATTEMPTS; count++) {
      write({ phase: 'invoke', op, key, token });
      const ended = await attempt(path, key, body);
      write({ phase: ended.end, op, key, token, ...ended });
      counts[ended.end]++;
      if (ended.end !== 'unknown') return;
      await sleep(250);
    }
    counts.left++;
  };

  const client = async () => {
    while (!stop.signal.aborted) {
      const agent = random.of(target.agents);
      const token = randomUUID();
      const op = random.of(['invoke', 'issue', 'assigned', 'mention'] as const);
      const issues = `/companies/${target.companyId}/issues`;
      const description = op === 'mention' ? `@${agent.name} please` : undefined;
      if (op === 'invoke') {
        await request(op, `/agents/${agent.id}/heartbeat/invoke`, { reason: token }, token);
      } else {
        const assigned = op === 'assigned' && { assigneeAgentId: agent.id, status: 'todo' };
        await request(op, issues, { title: token, description, ...assigned }, token);
      }
      await sleep(random.below(200));
    }
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  return {
    counts,
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}
