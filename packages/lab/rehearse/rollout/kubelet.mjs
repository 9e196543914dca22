import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export function imageEnvironment(dockerfile) {
  const block = /^ENV (NODE_ENV=(?:.*\\\n)*.*)/m.exec(dockerfile)[1];
  return Object.fromEntries(
    [...block.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
}

export function environmentOf(manifests, { env = [], envFrom = [] }, secrets, pod) {
  const maps = envFrom.map(({ configMapRef }) =>
    manifests.find((one) => one.kind === 'ConfigMap' && one.metadata.name === configMapRef.name),
  );
  const own = env.flatMap(({ name, value, valueFrom }) => {
    if (valueFrom?.fieldRef?.fieldPath === 'metadata.name') return [[name, pod]];
    const given = valueFrom
      ? secrets[valueFrom.secretKeyRef.name]?.[valueFrom.secretKeyRef.key]
      : value;
    if (given !== undefined) return [[name, given]];
    if (valueFrom.secretKeyRef.optional) return [];
    throw new Error(`no secret ${valueFrom.secretKeyRef.name} has ${valueFrom.secretKeyRef.key}`);
  });
  return Object.assign({}, ...maps.map(({ data }) => data), Object.fromEntries(own));
}

function ask(address, port, { path: file }, timeoutMs) {
  return new Promise((resolve) => {
    const request = http.get(
      { host: address, port, path: file, timeout: timeoutMs, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode >= 200 && response.statusCode < 400);
      },
    );
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}

function launch(args, env, cwd, lines) {
  const [command, ...rest] = args;
  const program = command === 'node' ? process.execPath : command;
  const started = spawn(program, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [started.stdout, started.stderr]) {
    stream.on('data', (chunk) => lines.push(...chunk.toString().split('\n').filter(Boolean)));
  }
  const ended = new Promise((resolve) => {
    started.once('exit', (code, signal) => resolve(signal ?? code));
  });
  return { process: started, ended };
}

export async function runOnce(args, env, directory) {
  const lines = [];
  return { code: await launch(args, env, directory, lines).ended, lines };
}

export function startPod({ name, address, spec, environment, directory, say, onReady }) {
  const [container] = spec.containers;
  const state = { ready: false, deleting: false, restarts: 0, lines: [] };
  let child;
  let stopProbing = () => undefined;

  const run = (args, env) => launch(args, env, directory, state.lines);

  const setReady = (ready) => {
    if (state.ready === ready) return;
    state.ready = ready;
    onReady(ready && !state.deleting);
  };

  function probe(child) {
    const portOf = ({ port }) =>
      container.ports.find((one) => one.name === port || one.containerPort === port).containerPort;
    let isOver = false;
    const repeat = async (what, judge) => {
      const { httpGet, periodSeconds = 10, timeoutSeconds = 1, failureThreshold = 3 } = what;
      for (let failures = 0; !isOver; ) {
        const good = await ask(address, portOf(httpGet), httpGet, timeoutSeconds * 1000);
        failures = good ? 0 : failures + 1;
        if (isOver || judge(good, failures >= failureThreshold)) return;
        await sleep(periodSeconds * 1000);
      }
    };
    const give = (why) => {
      say(`${name}: ${why}, restarted`);
      state.restarts += 1;
      child.kill('SIGKILL');
      return true;
    };
    const begin = async () => {
      await repeat(
        container.startupProbe,
        (good, spent) => good || (spent && give('never started')),
      );
      void repeat(container.livenessProbe, (_, spent) => spent && give('is not alive'));
      await repeat(container.readinessProbe, (good, spent) => {
        if (good) setReady(true);
        if (spent) setReady(false);
      });
    };
    void begin();
    return () => {
      isOver = true;
    };
  }

  async function live() {
    for (const init of spec.initContainers ?? []) {
      const code = await run(init.args, environment(init)).ended;
      if (code !== 0)
        throw new Error(`${name}: ${init.name} ended with ${code}: ${state.lines.at(-1)}`);
    }
    const env = environment(container);
    mkdirSync(env.DATA_DIR, { recursive: true });
    while (!state.deleting) {
      child = run(container.args, env);
      stopProbing = probe(child.process);
      const code = await child.ended;
      stopProbing();
      setReady(false);
      if (!state.deleting) say(`${name}: ended by itself with ${code}: ${state.lines.at(-1)}`);
    }
  }
  const living = live();
  living.catch((error) => say(error.message));

  return {
    name,
    address,
    state,
    untilReady: async () => {
      while (!state.ready) await Promise.race([sleep(50), living]);
    },
    remove: async () => {
      const begun = performance.now();
      state.deleting = true;
      onReady(false);
      const grace = (spec.terminationGracePeriodSeconds ?? 30) * 1000;
      const kill = setTimeout(() => child.process.kill('SIGKILL'), grace);
      const preStop = container.lifecycle?.preStop?.exec?.command;
      if (preStop) await run(preStop, environment(container)).ended;
      stopProbing();
      child.process.kill('SIGTERM');
      const outcome = await child.ended;
      clearTimeout(kill);
      return { outcome, tookMs: Math.round(performance.now() - begun) };
    },
    kill: () => child?.process.kill('SIGKILL'),
  };
}

export const directoryOf = (root, image) =>
  path.join(root, 'services', image.includes('switchyard-metrics') ? 'metrics' : 'orchestration');
