import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { removeTree } from '@switchyard/sandbox';
import { redisUrl, until } from '@switchyard/testing';
import Redis from 'ioredis';
import type { createCanaries } from '../canaries';
import type { Harness } from '../harness';
import { findProcess, freePort, numberFor, type openSurroundings, watchFor } from './surroundings';

const SECRETS = 'NOT_FOR_OTHERS';
const OF_CHECKOUT = {
  node: process.execPath,
  file: join(__dirname, '..', '..', 'dist', 'bin', 'worker.js'),
};

interface Limits {
  fileBytes: number;
  processes: number;
  watchers: number;
}

export interface Finding {
  kind: 'probe' | 'right' | 'end';
  name: string;
  succeeded: boolean;
  detail: string;
}

interface Installation {
  harness: Harness;
  folder: string;
  surroundings: Awaited<ReturnType<typeof openSurroundings>>;
  canaries: ReturnType<typeof createCanaries>;
  limits: Limits;
  /**
   * Node.js and the product's program on the machine that executes the runs; those of this checkout
   * by default.
   */
  programs?: { node: string; file: string };
  start(environment: Record<string, string>): Promise<{
    pid: number;
    hasPodPerRun?: boolean;
    end(): Promise<unknown>;
  }>;
}

export async function attack(installation: Installation) {
  const { harness, folder, surroundings, canaries, limits, start } = installation;
  const { programs = OF_CHECKOUT } = installation;
  const { build, config } = harness;
  const secretOf = (name: string) => canaries.make(name);
  const workerPort = await freePort();
  const redisKey = `${config.redisPrefix}:canary`;
  const redis = new Redis(redisUrl());
  await redis.set(redisKey, secretOf('Redis'));
  const keyFile = join(config.dataDir, 'secrets.json');
  writeFileSync(keyFile, secretOf('a key file'), { mode: 0o600 });
  const executor = await start({
    [SECRETS]: secretOf('the environment of what starts agents'),
    HOME: surroundings.operator,
    PATH: `${surroundings.places.programFolder}:${process.env.PATH}`,
    WORKER_PORT: String(workerPort),
  });
  const watchers: { close(): void }[] = [];
  try {
    const victim = await startVictim(installation, secretOf);
    const { id: companyId } = await build.company();
    const own = join(folder, 'own');
    mkdirSync(own, { recursive: true });
    for (const name of ['probes.mjs', 'shared_probes.mjs', 'system_calls.py'])
      cpSync(join(__dirname, name), join(own, name));
    const doorPort = await freePort();
    const { temporary } = surroundings.places;
    watchers.push(
      watchFor(own, {
        temporary: () => existsSync(join(temporary, 'hostile')),
        door: () => isOpen(doorPort),
        allAddresses: () => isOpen(doorPort, '127.0.0.2'),
      }),
    );
    // This file is for probes that use a stolen token. Any other probe that reads it would print
    // the token to the log.
    const stolenFile = join(own, 'stolen');
    writeFileSync(stolenFile, victim.token);
    const daemonMark = `daemon-${companyId}`;
    const leftName = `hostile-${companyId}`;
    const database = new URL(config.databaseUrl);
    const redisAt = new URL(redisUrl());
    const api = new URL(config.publicUrl);
    const places = {
      ...surroundings.places,
      ...{
        limits,
        workerPort: { host: '127.0.0.1', port: workerPort },
        keyFile,
        redisKey,
        doorPort,
        daemonMark,
        leftName,
      },
      workerPid: numberFor(executor.pid, executor.pid),
      workerMark: 'dist/bin/',
      environmentMark: `${SECRETS}=`,
      victimPid: executor.hasPodPerRun ? victim.pid : numberFor(executor.pid, victim.pid),
      victimCompanyId: victim.companyId,
      stolenFile,
      victimIssueId: victim.issueId,
      victimGateway: victim.gateway,
      victimFile: victim.file,
      victimHomeFile: victim.homeFile,
      victimRepositoryFile: victim.repositoryFile,
      dataDir: config.dataDir,
      programFile: programs.file,
      python: '/usr/bin/python3',
      redis: { host: redisAt.hostname, port: Number(redisAt.port || 6379) },
      postgres: { host: database.hostname, port: Number(database.port || 5432) },
      api: { host: api.hostname, port: Number(api.port) },
    };
    const agent = await build.agent({
      companyId,
      adapterType: 'process',
      adapterConfig: {
        command: programs.node,
        args: [join(own, 'probes.mjs'), JSON.stringify(places)],
        cwd: own,
        timeoutSec: 240,
      },
    });
    const run = await build.queuedRun(agent.id);
    const ended = await until(
      'the end of the attack',
      async () => {
        const found = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id: run.id } });
        return found.finishedAt ? found : null;
      },
      300_000,
    );
    const log = await readLog(harness, run.id);
    const findings = log
      .split('\n')
      .filter((line) => line.startsWith('{"kind":'))
      .map((line) => JSON.parse(line) as Finding);
    const daemon = findProcess(daemonMark);
    const left = findings.find(({ name }) => name === 'leave a process behind');
    if (left) Object.assign(left, { succeeded: daemon !== null });
    if (daemon !== null) process.kill(daemon, 'SIGKILL');
    for (const finding of findings) {
      if (!finding.succeeded || !/^leave a .* behind /.test(finding.name)) continue;
      finding.succeeded = existsSync(finding.detail);
      await removeTree(finding.detail);
    }
    return { ended, log, findings };
  } finally {
    for (const watcher of watchers) watcher.close();
    await executor.end();
    await redis.del(redisKey);
    redis.disconnect();
    rmSync(keyFile, { force: true });
  }
}

async function startVictim(
  { harness, folder, canaries, programs = OF_CHECKOUT }: Installation,
  secretOf: (name: string) => string,
) {
  const { build, config } = harness;
  const { id: companyId } = await build.company();
  await harness.db.company.update({
    where: { id: companyId },
    data: { egressAllowList: ['victim.example'] },
  });
  const value = secretOf('a secret of another company');
  const secret = await build.secret({ companyId, value });
  const issue = await build.issue({ companyId, title: secretOf('an issue of another company') });
  const mark = `victim-${companyId}`;
  const env = { [SECRETS]: { type: 'secret_ref', secretId: secret.id, version: 'latest' } };
  const work = join(folder, 'other', companyId);
  mkdirSync(work, { recursive: true });
  cpSync(join(__dirname, 'victim.mjs'), join(work, 'victim.mjs'));
  const agent = await build.agent({
    companyId,
    adapterType: 'process',
    adapterConfig: {
      command: programs.node,
      args: [join(work, 'victim.mjs'), mark],
      cwd: work,
      env,
    },
  });
  await build.queuedRun(agent.id);
  const notes = join(work, 'notes');
  const pid = await until('the victim', async () => (existsSync(notes) ? findProcess(mark) : null));
  const token = readFileSync(join(work, 'token'), 'utf8');
  canaries.add('the token of another run', token);
  const file = (name: string, path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, secretOf(name), { mode: 0o600 });
    return path;
  };
  return {
    pid,
    companyId,
    token,
    issueId: issue.id,
    gateway: readFileSync(join(work, 'gateway'), 'utf8'),
    file: notes,
    homeFile: file(
      'the home of another agent',
      join(config.dataDir, 'homes', companyId, agent.id, 'sign-in'),
    ),
    repositoryFile: file(
      'the repository of another company',
      join(config.dataDir, 'repositories', companyId, 'address', 'mirror.git', 'config'),
    ),
  };
}

function isOpen(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function readLog(harness: Harness, runId: string): Promise<string> {
  const chunks = await harness.db.runLogChunk.findMany({
    where: { runId },
    orderBy: { offset: 'asc' },
  });
  return Buffer.concat(chunks.map(({ content }) => Buffer.from(content))).toString();
}
