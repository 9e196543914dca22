import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { play, podman } from './podman.mjs';

const PATIENCE_SEC = 420;

const CONFINED = `grep -E '^(Uid|CapBnd|CapEff|NoNewPrivs|Seccomp):' /proc/1/status
touch /root-can-be-written 2>/dev/null && echo 'root can be written'
[ ! -e /var/run/secrets/kubernetes.io ] || echo 'a token of the cluster'
true`;

export function openPod({ name, address, original, manifest }, { network, scratch, maps, say }) {
  const [container] = original.containers;
  const running = `${name}-${container.name}`;
  const file = path.join(scratch, `${name}.json`);
  const portOf = (wanted) =>
    container.ports.find((one) => one.name === wanted || one.containerPort === wanted)
      .containerPort;

  async function answers({ httpGet, exec, timeoutSeconds = 1 }) {
    if (exec) {
      return podman('exec', running, ...exec.command).then(
        () => true,
        () => false,
      );
    }
    const url = `http://${address}:${portOf(httpGet.port)}${httpGet.path}`;
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    return fetch(url, { signal }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
  }

  async function untilAnswered(kind) {
    const probe = container[kind];
    if (!probe) return 0;
    const begun = performance.now();
    const end = begun + PATIENCE_SEC * 1000;
    while (!(await answers(probe))) {
      if (performance.now() > end) throw new Error(`${name}: ${kind}: ${await log()}`);
      await sleep(Math.min(probe.periodSeconds ?? 10, 2) * 1000);
    }
    return Math.round((performance.now() - begun) / 1000);
  }

  const log = () => podman('logs', '--tail', '40', running).catch((error) => error.message);

  return {
    name,
    address,
    container: running,
    log: () => podman('logs', running),
    play: async () => {
      writeFileSync(file, [...maps, manifest].map((one) => JSON.stringify(one)).join('\n---\n'));
      await play('--network', network, '--ip', address, file);
    },
    check: async () => {
      const took = [];
      for (const kind of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        if (container[kind]) took.push(`${kind} ${await untilAnswered(kind)} s`);
      }
      const seen = await podman('exec', running, 'sh', '-c', CONFINED);
      const user = original.securityContext.runAsUser;
      const none = '0000000000000000';
      assert.deepEqual(
        seen.split('\n').map((line) => line.split(/\s+/).slice(0, 2).join(' ')),
        [`Uid: ${user}`, `CapEff: ${none}`, `CapBnd: ${none}`, 'NoNewPrivs: 1', 'Seccomp: 2'],
      );
      say(`${name}: ${took.join(', ')}; user ${user}, no capability, its root is read-only`);
    },
    untilEnded: async () => {
      const code = await podman('wait', running);
      const format = '{{.HostConfig.ReadonlyRootfs}} {{.Config.User}} {{len .EffectiveCaps}}';
      const user = original.securityContext.runAsUser;
      const seen = await podman('inspect', running, '--format', format);
      assert.match(seen, new RegExp(`^true ${user}:\\d+ 0$`));
      assert.equal(code, '0', await log());
      say(`${name}: ended with 0; user ${user}, no capability, its root is read-only`);
    },
    stop: async () => {
      const preStop = container.lifecycle?.preStop?.exec?.command;
      if (preStop) await podman('exec', running, ...preStop);
      const begun = performance.now();
      await podman('stop', '--time', `${original.terminationGracePeriodSeconds}`, running);
      const code = await podman('inspect', running, '--format', '{{.State.ExitCode}}');
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      assert.equal(code, '0', `${name}: ${await log()}`);
      say(`${name}: SIGTERM ended it with 0 after ${seconds} s`);
    },
    remove: () => podman('pod', 'rm', '--force', name).catch(() => undefined),
  };
}
