import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { administer, freePort, roleName, roleUrl } from '@switchyard/testing';
import { type N8nEditor, startEditor } from './editor';
import { type ExecutionData, type Outcome, outcomeIn } from './execution';

export interface N8n {
  importWorkflow(file: string, changes?: Record<string, string>): Promise<void>;
  importCredentials(credentials: object[]): Promise<void>;
  execute(workflowId: string): Promise<Outcome>;
  serve(): Promise<N8nEditor>;
  close(): Promise<void>;
}

export async function startN8n(): Promise<N8n> {
  const { node, n8n } = await installN8n();
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-n8n-'));
  const database = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE "${database}" OWNER "${roleName('owner')}"`);
  const brokerPort = String(await freePort());
  const env = { ...environment(folder, database), N8N_RUNNERS_BROKER_PORT: brokerPort };
  const run = async (...args: string[]) => {
    const options = { env, timeout: 300_000, maxBuffer: 64_000_000 };
    return promisify(execFile)(node, [n8n, ...args], options).catch(
      (error: { stdout?: string; stderr?: string }) => {
        if (error.stdout === undefined) throw error;
        return { stdout: error.stdout, stderr: error.stderr ?? '' };
      },
    );
  };
  const editors: N8nEditor[] = [];
  const importFile = async (kind: string, file: string) => {
    const { stdout, stderr } = await run(`import:${kind}`, `--input=${file}`);
    if (!/Successfully imported 1/.test(stdout)) throw new Error(`${stdout}\n${stderr}`);
  };
  return {
    importWorkflow: async (file, changes = {}) => {
      let text = await readFile(file, 'utf8');
      for (const [from, to] of Object.entries(changes)) {
        if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
        text = text.replaceAll(from, to);
      }
      const changed = join(folder, 'workflow.json');
      await writeFile(changed, text);
      await importFile('workflow', changed);
    },
    importCredentials: async (credentials) => {
      for (const credential of credentials) {
        const file = join(folder, 'credential.json');
        await writeFile(file, JSON.stringify([credential]), { mode: 0o600 });
        await importFile('credentials', file);
      }
    },
    execute: async (workflowId) => outcomeOf(await run('execute', `--id=${workflowId}`)),
    serve: async () => {
      const editor = await startEditor(node, n8n, { ...env, N8N_PORT: String(await freePort()) });
      editors.push(editor);
      return editor;
    },
    close: async () => {
      for (const editor of editors) await editor.close();
      await administer(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const RELEASE = '2.41.1';
const NODE_RELEASE = '24.21.0';

/**
 * Installs n8n and its Node.js on first use, and returns their paths. Skips install scripts,
 * because n8n on PostgreSQL needs no compiled module.
 */
async function installN8n(): Promise<{ node: string; n8n: string }> {
  const folder = resolve(process.env.N8N_DIR ?? `.cache/n8n-${RELEASE}`);
  const platform = `node-${process.platform}-${process.arch}`;
  const paths = {
    node: join(folder, 'node_modules', platform, 'bin/node'),
    n8n: join(folder, 'node_modules/n8n/bin/n8n'),
  };
  const isThere = await access(paths.n8n).then(
    () => true,
    () => false,
  );
  if (isThere) return paths;
  await mkdir(folder, { recursive: true });
  const dependencies = { n8n: RELEASE, [platform]: NODE_RELEASE };
  const overrides = { linkedom: '0.18.12' };
  const manifest = { name: 'rehearsed-n8n', private: true, dependencies, overrides };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', args, { cwd: folder, timeout: 1_800_000 });
  return paths;
}

function environment(folder: string, database: string): Record<string, string> {
  const { hostname, port, username, password } = new URL(roleUrl('owner', database));
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    N8N_USER_FOLDER: folder,
    N8N_ENCRYPTION_KEY: randomBytes(16).toString('hex'),
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: hostname,
    DB_POSTGRESDB_PORT: port,
    DB_POSTGRESDB_DATABASE: database,
    DB_POSTGRESDB_USER: username,
    DB_POSTGRESDB_PASSWORD: password,
  };
}

function outcomeOf({ stdout, stderr }: { stdout: string; stderr: string }) {
  const text = stdout.match(/^\{\n[\s\S]*?^\}$/m)?.[0];
  if (!text) throw new Error(`n8n printed no execution:\n${stdout}\n${stderr}`);
  return outcomeIn((JSON.parse(text) as { data: ExecutionData }).data);
}
