import { Agent, get, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { json } from '../shared/load.mjs';
import { between } from '../shared/machine.mjs';
import { percentile } from '../shared/measure.mjs';
import { fixed, ratio } from '../shared/table.mjs';

const SAMPLES = 150;
const WARM_UP = 20;
const PAGES_DEEP = 10;

export async function measureScale({ small, large, machine, report, options }) {
  const checkouts = ['own', 'before'].filter((name) => small[name]);
  const sides = checkouts.flatMap((checkout) =>
    [small, large].map((size) => ({ checkout, size, url: size[checkout].url })),
  );
  for (const side of sides) side.ask = await openSide(side);
  report.head([
    `p50 / p95 ms at ${small.issues} and at ${large.issues} issues`,
    ...checkouts.flatMap((name) => {
      const of = name === 'before' ? 'before: ' : '';
      return [`${of}small`, 'large', '÷ of p95'];
    }),
    'other work',
  ]);
  for (const [title, request] of REQUESTS) {
    if (!options.only.split('|').some((beginning) => title.startsWith(beginning))) continue;
    const before = machine.read();
    const times = new Map(sides.map((side) => [side, []]));
    for (let sample = 0; sample < WARM_UP + SAMPLES; sample++) {
      for (const side of shuffled(sides)) {
        const ms = await request(side.ask, side, sample);
        if (sample >= WARM_UP) times.get(side).push(ms);
      }
    }
    const { foreign } = between(before, machine.read());
    const cells = checkouts.flatMap((checkout) => {
      const [few, many] = sides.filter((side) => side.checkout === checkout);
      const [a, b] = [few, many].map((side) =>
        [0.5, 0.95].map((p) => percentile(times.get(side), p)),
      );
      return [
        ...[a, b].map(([p50, p95]) => `${fixed(p50, 1)} / ${fixed(p95, 1)}`),
        ratio(b[1], a[1]),
      ];
    });
    report.row([title, ...cells, `${Math.round(foreign * 100)} %`]);
  }
  for (const side of sides) side.ask.close();
}

const list = (path) => (ask) => ask(`${ask.company}${path}`);
const patch = (ask, side, sample) =>
  ask(
    `/api/issues/${ask.waiting[200 + sample].id}`,
    json({ title: `Title ${side.checkout}` }, 'PATCH'),
  );
const cost = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 1 };

const afterPause = async (request) => {
  await setTimeout(1_000);
  return request();
};

const REQUESTS = Object.entries({
  'GET issue': (ask) => ask(`/api/issues/${ask.known.issue}`),
  'GET issue by identifier': (ask) => ask('/api/issues/BEN-4242'),
  'list issues': list('/issues?limit=50'),
  'list issues, two statuses': list('/issues?limit=50&status=todo,in_progress'),
  'list issues, 10 pages deep': (ask) => ask(ask.deep.issues),
  'list issues by update': list('/issues?limit=50&sort=updated'),
  'list issues by creation': list('/issues?limit=50&sort=created'),
  'list issues by due date': list('/issues?limit=50&sort=due'),
  'list issues by due date, of one status': list('/issues?limit=50&sort=due&status=todo'),
  'list issues by due date, 10 pages deep': (ask) => ask(ask.deep.due),
  'list issues by update, of an agent': (ask) =>
    ask(`${ask.company}/issues?limit=50&sort=updated&assigneeAgentId=${ask.known.bigAgent}`),
  'list issues, unassigned': list('/issues?limit=50&unassigned=true'),
  'list issues of a parent': (ask) =>
    ask(`${ask.company}/issues?limit=50&parentId=${ask.known.issue}`),
  'list issues of a goal': (ask) => ask(`${ask.company}/issues?limit=50&goalId=${ask.known.goal}`),
  'list issues of a label that a third has': list('/issues?limit=50&label=label%201'),
  'list issues of a label that ten have': list('/issues?limit=50&label=label%2020'),
  'list issues updated after now': (ask) =>
    ask(`${ask.company}/issues?limit=50&updatedAfter=${new Date().toISOString()}`),
  'list issues with a word that half have': list('/issues?limit=50&q=half1'),
  'list issues with a word that ten have': list('/issues?limit=50&q=ten7%20'),
  'search for a word in every issue': list('/search?q=word'),
  'search for a word that half have': list('/search?q=half1'),
  'search for a word of each hundredth': list('/search?q=hundredth7%20'),
  'search for a word in each thousandth issue': list('/search?q=thousandth77%20'),
  'search for a word that ten have': list('/search?q=ten7%20'),
  'search for two words': list('/search?q=hundredth7%20half1'),
  'search for words that follow each other': list('/search?q=%22word%20half1%22'),
  'search for the beginning of a word': list('/search?q=thousandth7'),
  'search for an identifier': list('/search?q=BEN-4242'),
  'search for an unknown word': list('/search?q=nowhere'),
  'search for a word that half have, third page': (ask) => ask(ask.deep.search),
  labels: list('/labels'),
  comments: (ask) => ask(`/api/issues/${ask.known.issue}/comments?limit=50`),
  'comments, oldest first': (ask) =>
    ask(`/api/issues/${ask.known.issue}/comments?limit=50&order=asc`),
  'comments after one': (ask) =>
    ask(`/api/issues/${ask.known.issue}/comments?limit=50&order=asc&after=${ask.known.comment}`),
  'list runs': list('/heartbeat-runs?limit=50'),
  'list runs, failed': list('/heartbeat-runs?limit=50&status=failed'),
  activity: list('/activity?limit=50'),
  'activity of one kind': list('/activity?limit=50&action=agent.paused'),
  'activity, 10 pages deep': (ask) => ask(ask.deep.activity),
  agents: list('/agents'),
  projects: list('/projects'),
  goals: list('/goals'),
  approvals: list('/approvals'),
  routines: list('/routines'),
  dashboard: list('/dashboard'),
  overview: list('/overview'),
  inbox: list('/inbox?limit=50'),
  'inbox counts': (ask) => afterPause(() => ask(`${ask.company}/inbox/counts`)),
  'inbox counts, kept': list('/inbox/counts'),
  'costs summary': list('/costs/summary'),
  'POST issue': (ask) => ask(`${ask.company}/issues`, json({ title: 'Made', status: 'todo' })),
  'POST comment': (ask) => ask(`/api/issues/${ask.known.issue}/comments`, json({ body: 'a word' })),
  'PATCH issue': patch,
  checkout: (ask, _side, sample) => {
    const { id, assignee } = ask.waiting[sample];
    const todo = { agentId: assignee, expectedStatuses: ['todo'] };
    return ask(`/api/issues/${id}/checkout`, json(todo));
  },
  'POST invoke': (ask, _side, sample) =>
    ask(`/api/agents/${ask.known.agent(100 + ask.offset + sample)}/heartbeat/invoke`, json({})),
  'POST cost event': (ask) =>
    ask(`${ask.company}/cost-events`, json({ ...cost, agentId: ask.known.smallAgent })),
  'comment → event': (ask) => ask.untilEvent(),
});

async function openSide({ checkout, size, url }) {
  const { known } = size.database;
  const agent = new Agent({ keepAlive: true });
  const ask = (path, options) => timed(agent, `${url}${path}`, options);
  const { rows } = await size.pool.query(
    `SELECT id, assignee_agent_id AS assignee FROM issue
     WHERE status = 'todo' AND assignee_agent_id IS NOT NULL ORDER BY issue_number LIMIT 800`,
  );
  const company = `/api/companies/${known.company}`;
  const offset = checkout === 'own' ? 0 : 400;
  const half = rows.filter((_, at) => at % 2 === (checkout === 'own' ? 0 : 1));
  const stream = await openStream(`${url}${company}/events`);
  return Object.assign(ask, {
    known,
    company,
    offset,
    waiting: half,
    deep: {
      issues: await deepPage(url, `${company}/issues?limit=50`),
      due: await deepPage(url, `${company}/issues?limit=50&sort=due`),
      search: await deepPage(url, `${company}/search?q=half1`, 2),
      activity: await deepPage(url, `${company}/activity?limit=50`),
    },
    untilEvent: async () => {
      const began = performance.now();
      const seen = stream.next();
      await ask(`/api/issues/${known.issue}/comments`, json({ body: 'a word' }));
      return (await seen) - began;
    },
    close: () => {
      stream.close();
      agent.destroy();
    },
  });
}

async function deepPage(url, path, pages = PAGES_DEEP) {
  let at = path;
  for (let page = 0; page < pages; page++) {
    const response = await fetch(`${url}${at}`);
    await response.arrayBuffer();
    at = `${path}&cursor=${response.headers.get('x-next-cursor')}`;
  }
  return at;
}

function timed(agent, url, { method = 'GET', headers, body } = {}) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const length = body && { 'content-length': Buffer.byteLength(body) };
    const options = { agent, method, headers: { ...headers, ...length } };
    request(url, options, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode < 300) resolve(performance.now() - began);
        else reject(new Error(`${method} ${url}: ${response.statusCode}`));
      });
    })
      .on('error', reject)
      .end(body);
  });
}

function openStream(url) {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      let wake = () => undefined;
      response.setEncoding('utf8').on('data', (text) => {
        if (/^data:/m.test(text)) wake(performance.now());
      });
      response.on('error', () => undefined);
      const next = () =>
        new Promise((arrived) => {
          wake = arrived;
        });
      resolve({ next, close: () => asked.destroy() });
    });
    asked.on('error', reject);
  });
}

const shuffled = (values) =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
