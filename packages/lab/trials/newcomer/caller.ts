import { until } from '@switchyard/testing';
import type { CommentView, HeartbeatRunView } from '@switchyard/types';

export interface Caller {
  base: string;
  ask<T = Record<string, string>>(method: string, path: string, body?: object | string): Promise<T>;
  refusal(method: string, path: string, body?: object): Promise<{ status: number; error: string }>;
  ended(runId: string): Promise<HeartbeatRunView>;
  runFor(issueId: string, of: { companyId: string; id: string }): Promise<HeartbeatRunView>;
  log(runId: string): Promise<string>;
  thread(issueId: string): Promise<string[]>;
}

const RUN_MS = 180_000;

export function callerOf(api: string, credential?: string): Caller {
  const base = api.replace(/\/api$/, '');
  const send = async (method: string, path: string, body?: object | string) => {
    const headers: Record<string, string> = {};
    if (credential) headers.Authorization = `Bearer ${credential}`;
    if (body) headers['Content-Type'] = 'application/json';
    const content = typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
    const response = await fetch(base + path, { method, headers, body: content });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : null };
  };
  const caller: Caller = {
    base,
    async ask(method, path, body) {
      const answer = await send(method, path, body);
      if (answer.status < 300) return answer.body;
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
    async refusal(method, path, body) {
      const answer = await send(method, path, body);
      if (answer.status >= 400) return { status: answer.status, error: answer.body.error };
      throw new Error(`${method} ${path} was not refused: ${JSON.stringify(answer.body)}`);
    },
    ended: (runId) =>
      until(
        'the end of a run',
        async () => {
          const run = await caller.ask<HeartbeatRunView>('GET', `/api/heartbeat-runs/${runId}`);
          return run.finishedAt === null ? null : run;
        },
        RUN_MS,
      ),
    async runFor(issueId, { companyId, id }) {
      const path = `/api/companies/${companyId}/heartbeat-runs?agentId=${id}`;
      const run = await until(
        'a run',
        async () => {
          const runs = await caller.ask<HeartbeatRunView[]>('GET', path);
          return runs.find((one) => one.issueId === issueId);
        },
        RUN_MS,
      );
      return caller.ended(run.id);
    },
    log: async (runId) =>
      (await caller.ask<{ content: string }>('GET', `/api/heartbeat-runs/${runId}/log`)).content,
    thread: async (issueId) =>
      (await caller.ask<CommentView[]>('GET', `/api/issues/${issueId}/comments`)).map(
        (comment) => comment.body,
      ),
  };
  return caller;
}
