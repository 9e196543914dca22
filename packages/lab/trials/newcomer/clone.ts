import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@switchyard/orchestration/test/read-repository';
import { until } from '@switchyard/testing';

export interface Clone {
  folder: string;
  home: string;
  env: Record<string, string>;
  start(): Promise<Started>;
  paste(commands: string, env?: Record<string, string>, folder?: string): Promise<string>;
  remove(): Promise<void>;
}

export interface Started {
  isRunning: boolean;
  printed(): string;
  address(label: string): string;
  stop(): Promise<void>;
}

const RUNNING = 'Ctrl-C stops everything.';
const START_MS = 900_000;

export async function freshClone(
  programs: string[] = [],
  settings: Record<string, string> = {},
): Promise<Clone> {
  const parent = await mkdtemp(join(tmpdir(), 'switchyard-newcomer-'));
  const [folder, home] = [join(parent, 'switchyard'), join(parent, 'home')];
  await promisify(execFile)('git', ['clone', '--quiet', ROOT, folder]);
  await promisify(execFile)('mkdir', [home]);
  const PATH = [...programs, process.env.PATH].join(':');
  const env = { PATH, HOME: home, LANG: 'C.UTF-8', ...settings };
  const running = new Set<Started>();
  return {
    folder,
    home,
    env,
    async start() {
      const started = await startIn(folder, env);
      running.add(started);
      return started;
    },
    paste: (commands, more = {}, at = folder) => paste(commands, { ...env, ...more }, at),
    async remove() {
      for (const started of running) await started.stop();
      await rm(parent, { recursive: true, force: true });
    },
  };
}

async function startIn(folder: string, env: Record<string, string>): Promise<Started> {
  const words = ['packages/bootstrap/run.mjs', 'start'];
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: 'pipe' });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  await until('the start', () => text.includes(RUNNING) || child.exitCode !== null, START_MS);
  return {
    isRunning: child.exitCode === null,
    printed: () => text,
    address(label) {
      const found = new RegExp(`^ {2}${label} +(\\S+)`, 'm').exec(text)?.[1];
      if (!found) throw new Error(`the start does not say ${label}:\n${text}`);
      return found;
    },
    stop: () => interrupt(child),
  };
}

async function interrupt(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}

async function paste(commands: string, env: Record<string, string>, cwd: string): Promise<string> {
  const options = { cwd, env, timeout: START_MS, maxBuffer: 64_000_000 };
  const { stdout } = await promisify(execFile)('bash', ['-ec', commands], options);
  return stdout;
}
