import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { until } from '@switchyard/testing';
import { type ExecutionData, type Outcome, outcomeIn } from './execution';

export interface N8nEditor {
  makeCredential(name: string, type: string, data: object): Promise<CredentialName>;
  importFile(file: string, change?: (nodes: Record<string, WorkflowNode>) => void): Promise<string>;
  execute(workflowId: string): Promise<Outcome>;
  close(): Promise<void>;
}

interface CredentialName {
  id: string;
  name: string;
}

export interface WorkflowNode {
  name: string;
  type: string;
  parameters: Record<string, unknown>;
  credentials?: Record<string, CredentialName>;
}

const OWNER = {
  email: 'owner@example.com',
  firstName: 'Olga',
  lastName: 'Owner',
  password: `A1${randomBytes(12).toString('hex')}`,
};
const START_MS = 240_000;
const EXECUTION_MS = 240_000;

export async function startEditor(
  node: string,
  n8n: string,
  given: Record<string, string>,
): Promise<N8nEditor> {
  const env = { ...given, N8N_LISTEN_ADDRESS: '127.0.0.1', N8N_SECURE_COOKIE: 'false' };
  const child = spawn(node, [n8n, 'start'], { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${given.N8N_PORT}`;
  const isReady = () =>
    fetch(`${url}/rest/settings`).then(
      (response) => response.ok && response.headers.get('content-type')?.includes('json'),
      () => false,
    );
  await until('n8n', () => child.exitCode !== null || isReady(), START_MS);
  if (child.exitCode !== null) throw new Error(`n8n ended with code ${child.exitCode}`);

  let cookie = '';
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json', cookie, 'browser-id': 'rehearsal' };
    const content = body ? JSON.stringify(body) : null;
    const response = await fetch(`${url}/rest${path}`, { method, headers, body: content });
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n: ${method} ${path}: ${response.status} ${text}`);
    const [first] = response.headers.getSetCookie();
    cookie = first?.split(';')[0] ?? cookie;
    return (JSON.parse(text) as { data: T }).data;
  };
  await ask('POST', '/owner/setup', OWNER);

  return {
    makeCredential: async (name, type, data) => {
      const { id } = await ask<{ id: string }>('POST', '/credentials', { name, type, data });
      return { id, name };
    },
    importFile: async (file, change) => {
      const { name, nodes, connections, settings } = JSON.parse(await readFile(file, 'utf8'));
      change?.(Object.fromEntries(nodes.map((one: WorkflowNode) => [one.name, one])));
      const workflow = { name, nodes, connections, settings };
      return (await ask<{ id: string }>('POST', '/workflows', workflow)).id;
    },
    execute: async (workflowId) => {
      const { nodes } = await ask<{ nodes: WorkflowNode[] }>('GET', `/workflows/${workflowId}`);
      const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
      const { executionId } = await ask<{ executionId: string }>(
        'POST',
        `/workflows/${workflowId}/run`,
        { triggerToStartFrom: { name: trigger?.name } },
      );
      const ended = await until(
        'the execution',
        async () => {
          const one = await ask<{ finished: boolean; status: string; data: string }>(
            'GET',
            `/executions/${executionId}`,
          );
          return ['success', 'error', 'crashed', 'canceled'].includes(one.status) ? one : null;
        },
        EXECUTION_MS,
      );
      const { parse } = createRequire(n8n)('flatted') as { parse(text: string): ExecutionData };
      return outcomeIn(parse(ended.data));
    },
    close: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
