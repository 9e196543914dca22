import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { json } from '../shared/load.mjs';
import { startProduct } from '../shared/targets.mjs';

const REQUESTS = 20;

export async function countStatements({ deployments, report, options }) {
  const counted = [];
  try {
    for (const each of deployments) counted.push(await openCounted(each));
    report.head(['request', 'statements', 'parsed anew', 'before: statements', 'parsed anew']);
    for (const title of Object.keys(requests(deployments[0].fixture))) {
      if (!title.startsWith(options.only)) continue;
      const cells = [];
      for (const each of counted) cells.push(...(await count(each, requests(each.fixture)[title])));
      report.row([title, ...cells, ...(counted.length === 1 ? ['–', '–'] : [])]);
    }
  } finally {
    for (const each of counted) await each.close();
  }
}

function requests(fixture) {
  const { company, agents, key, plain, linked, patched, waiting, webhooks } = fixture;
  const [agent] = agents;
  const at = `/api/companies/${company}`;
  const bearer = { headers: { authorization: `Bearer ${key}` } };
  const todo = { agentId: agent, expectedStatuses: ['todo'] };
  return {
    'GET issue, nothing linked': () => [`/api/issues/${plain}`],
    'GET issue, all linked': () => [`/api/issues/${linked}`],
    'GET agent': () => [`/api/agents/${agent}`],
    'GET agents/me': () => ['/api/agents/me', bearer],
    'list issues, 50': () => [`${at}/issues?limit=50`],
    'activity, 50': () => [`${at}/activity?limit=50`],
    'POST issue': () => [`${at}/issues`, json({ title: 'Made' })],
    'POST comment': () => [`/api/issues/${plain}/comments`, json({ body: 'a word' })],
    'PATCH issue': (turn) => [`/api/issues/${patched}`, json({ title: `Turn ${turn}` }, 'PATCH')],
    checkout: async () => [`/api/issues/${(await waiting(1))[0]}/checkout`, json(todo)],
    'POST invoke, agent idle': async () => {
      await fixture.end(agents[2]);
      return [`/api/agents/${agents[2]}/heartbeat/invoke`, json({})];
    },
    'POST invoke, run waits': () => [`/api/agents/${agents[1]}/heartbeat/invoke`, json({})],
    'webhook, joins': () => fire(webhooks.coalesced),
    'webhook, issue and run': async () => {
      await fixture.end(agents[3]);
      return fire(webhooks.enqueued);
    },
  };
}

function fire({ publicId, secret }) {
  const path = `/api/routine-triggers/public/${publicId}/fire`;
  const request = json({ event: 'push' });
  request.headers.authorization = `Bearer ${secret}`;
  return [path, request];
}

async function openCounted({ name, database, prefix, checkout, fixture }) {
  const seen = { statements: 0, parsed: 0 };
  const proxy = await openProxy(new URL(database.url), seen);
  const product = await startProduct(name, proxy.url, prefix, {
    checkout,
    settings: { DATABASE_POOL_SIZE: '2' },
  });
  return {
    seen,
    fixture,
    url: product.url,
    close: async () => {
      await product.stop();
      proxy.close();
    },
  };
}

async function count({ url, seen }, ask) {
  const found = [];
  for (let turn = 0; turn < REQUESTS * 2; turn++) {
    const [path, request] = await ask(turn);
    const before = { ...seen };
    const response = await fetch(`${url}${path}`, request);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    found.push([seen.statements - before.statements, seen.parsed - before.parsed]);
  }
  const steady = found.slice(REQUESTS);
  return [0, 1].map((at) => steady.map((each) => each[at]).sort((a, b) => a - b)[REQUESTS >> 1]);
}

async function openProxy(target, seen) {
  const sockets = new Set();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    const read = messageReader(seen);
    client.on('data', read).pipe(upstream);
    upstream.pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${server.address().port}`;
  return {
    url: url.href,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function messageReader(seen) {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const letter = isStarted ? 1 : 0;
      if (rest.length < letter + 4) return;
      const length = letter + rest.readUInt32BE(letter);
      if (rest.length < length) return;
      const kind = isStarted ? String.fromCharCode(rest[0]) : '';
      if (kind === 'E' || kind === 'Q') seen.statements += 1;
      if (kind === 'P') seen.parsed += 1;
      isStarted = true;
      rest = rest.subarray(length);
    }
  };
}
