import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export async function scratchDatabase(Client, serverUrl) {
  const name = `rehearsal_${process.pid}`;
  const run = async (text, url = serverUrl) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await run(`CREATE DATABASE ${name}`);
  const roles = { owner: `${name}_owner`, app: `${name}_app` };
  const as = (username) =>
    Object.assign(new URL(url), { username, password: randomBytes(24).toString('hex') }).href;
  return {
    urls: { admin: url, owner: as(roles.owner), app: as(roles.app) },
    query: (text) => run(text, url),
    drop: async () => {
      await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await run(`DROP ROLE IF EXISTS ${roles.owner}, ${roles.app}`);
    },
  };
}

export function openCluster({ root, manifests, kubelet, secrets, scratch, say }) {
  const image = kubelet.imageEnvironment(
    readFileSync(path.join(root, 'services/orchestration/Dockerfile'), 'utf8'),
  );
  const pods = new Set();
  let born = 0;
  const overrides = {};
  const podSpec = (kind, name) =>
    manifests.find((one) => one.kind === kind && one.metadata.name.startsWith(name)).spec.template
      .spec;
  const environmentFor = (name, address) => (container) => ({
    PATH: process.env.PATH,
    ...image,
    ...kubelet.environmentOf(manifests, container, secrets, name),
    HOME: scratch,
    HOST: address,
    DATA_DIR: path.join(scratch, address),
    PRISMA_ROOT: path.join(root, 'prisma'),
    REDIS_PREFIX: `rehearsal-${process.pid}`,
    PROCESS_ADAPTER_COMMANDS: 'node',
    RATE_LIMIT_PER_CREDENTIAL: '0',
    DATABASE_POOL_SIZE: '4',
    SANDBOX_READ_ONLY: path.join(import.meta.dirname, 'agent.mjs'),
    ...overrides,
  });
  const start = (name, ready) => {
    born += 1;
    const address = `127.0.77.${born}`;
    const spec = podSpec('Deployment', name);
    const directory = kubelet.directoryOf(root, spec.containers[0].image);
    const called = `${name}-${born}`;
    const pod = kubelet.startPod({
      name: called,
      address,
      spec,
      environment: environmentFor(called, address),
      directory,
      say,
      onReady: (isReady) => void ready.set(address, isReady),
    });
    pods.add(pod);
    return pod;
  };
  const runJob = async (name) => {
    const spec = podSpec('Job', name);
    const [container] = spec.containers;
    const directory = kubelet.directoryOf(root, container.image);
    const { code, lines } = await kubelet.runOnce(
      container.args,
      environmentFor(name, '127.0.77.0')(container),
      directory,
    );
    if (code !== 0) throw new Error(`the migration ended with ${code}: ${lines.at(-1)}`);
    say(`migration: ${lines.at(-1)}`);
  };
  return {
    overrides,
    pods,
    start,
    runJob,
    portOf: (name, port) =>
      podSpec('Deployment', name).containers[0].ports.find((one) => one.name === port)
        .containerPort,
  };
}
