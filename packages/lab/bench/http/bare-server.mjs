import { createHmac, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import express from 'express';

const { openPool } = createRequire(import.meta.url)('@switchyard/db');

/**
 * Baseline of the request benchmarks: Express and one prepared statement per request, without
 * authentication, validation or log. Reads DATABASE_URL and prints its port as the first line.
 */
const pool = openPool({
  url: process.env.DATABASE_URL,
  size: 10,
  applicationName: 'bare',
  onIdleError: () => undefined,
});
const app = express();
app.disable('x-powered-by');
app.set('etag', false);

const SUMMARY = `id, company_id, issue_number, identifier, title, status, priority, assignee_agent_id, parent_id,
  project_id, goal_id, billing_code, checkout_run_id, checked_out_at, started_at, completed_at,
  created_by_agent_id, created_by_user_id, origin_routine_run_id, created_at, updated_at`;

const FACTS = `left(description, 200) AS excerpt,
  (SELECT array_agg(l.name ORDER BY l.key) FROM issue_label link JOIN label l ON l.id = link.label_id
    WHERE link.issue_id = i.id) AS labels,
  (SELECT count(*) FROM issue_blocker b JOIN issue blocker ON blocker.id = b.blocker_id
    WHERE b.issue_id = i.id AND blocker.status NOT IN ('done', 'cancelled')) AS blockers,
  (SELECT count(*) FROM issue child WHERE child.company_id = i.company_id AND child.parent_id = i.id) AS children,
  (SELECT name FROM agent WHERE id = i.assignee_agent_id) AS assignee,
  (SELECT to_json(run) FROM (SELECT id, status, agent_id, started_at FROM heartbeat_run
    WHERE company_id = i.company_id AND issue_id = i.id AND status IN ('queued', 'running') LIMIT 1) run) AS run,
  greatest(i.updated_at,
    (SELECT max(created_at) FROM issue_comment WHERE issue_id = i.id),
    (SELECT max(updated_at) FROM issue_document WHERE issue_id = i.id),
    (SELECT greatest(run.created_at, started_at, finished_at) FROM heartbeat_run run
      WHERE run.company_id = i.company_id AND run.issue_id = i.id ORDER BY run.created_at DESC LIMIT 1)) AS last_activity`;

const ACTIVITY = `INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id, details)
  SELECT gen_random_uuid(), company_id, 'user', $3, 'issue', id, '{}' FROM made`;

const ENTRY = [
  'id',
  'company_id',
  'actor_type',
  'actor_id',
  'run_id',
  'action',
  'entity_type',
  'entity_id',
  'details',
  'created_at',
];

const STATEMENTS = {
  issue: `SELECT ${SUMMARY}, description FROM issue WHERE id = $1`,
  agent: 'SELECT * FROM agent WHERE id = $1',
  issues: `SELECT ${SUMMARY} FROM issue WHERE company_id = $1 ORDER BY priority_rank, created_at, id LIMIT 50`,
  issuesWhole: `SELECT ${SUMMARY}, ${FACTS} FROM issue i WHERE company_id = $1
    ORDER BY priority_rank, created_at, id LIMIT 50`,
  issuesOpen: `SELECT ${SUMMARY} FROM issue WHERE company_id = $1 AND status IN ('todo', 'in_progress')
    ORDER BY priority_rank, created_at, id LIMIT 50`,
  activity: `SELECT ${ENTRY} FROM activity WHERE company_id = $1 ORDER BY created_at DESC, id DESC LIMIT 50`,
  activityNamed: `SELECT ${ENTRY.map((column) => `entry.${column}`)}, actor.name, about.identifier, about.title
    FROM activity entry
    LEFT JOIN agent actor ON entry.actor_type = 'agent' AND actor.id = entry.actor_id::uuid
    LEFT JOIN issue about ON entry.entity_type = 'issue' AND about.id = entry.entity_id::uuid
    WHERE entry.company_id = $1 ORDER BY entry.created_at DESC, entry.id DESC LIMIT 50`,
  createIssue: `WITH made AS (
      INSERT INTO issue (id, company_id, issue_number, identifier, title, status, priority, priority_rank)
      SELECT gen_random_uuid(), $1, $4::int, 'BARE-' || $4, $2, 'todo', 'medium', 2
      RETURNING *
    ), recorded AS (${ACTIVITY}) SELECT * FROM made`,
  comment: `WITH made AS (
      INSERT INTO issue_comment (id, company_id, issue_id, body)
      SELECT gen_random_uuid(), company_id, id, $2 FROM issue WHERE id = $1 RETURNING *
    ), recorded AS (${ACTIVITY}) SELECT * FROM made`,
  patch: `WITH made AS (
      UPDATE issue SET title = $2, updated_at = now() WHERE id = $1 RETURNING ${SUMMARY}, description
    ), recorded AS (${ACTIVITY}) SELECT * FROM made`,
  checkout: `WITH made AS (
      UPDATE issue SET status = 'in_progress', assignee_agent_id = $2, checked_out_at = now(), started_at = now()
      WHERE id = $1 AND status = 'todo' RETURNING ${SUMMARY}, description
    ), recorded AS (${ACTIVITY}) SELECT * FROM made`,
  fire: `INSERT INTO routine_run (id, company_id, routine_id, trigger_id, source, status, payload, completed_at)
    SELECT gen_random_uuid(), company_id, routine_id, id, 'webhook', 'cancelled', $2, now()
    FROM routine_trigger WHERE public_id = $1 RETURNING id`,
};

let number = -1;

const ask = async (name, values) =>
  (await pool.query({ name, text: STATEMENTS[name], values })).rows;

for (const name of ['issue', 'agent']) {
  app.get(`/${name}/:id`, async (request, response) => {
    response.json((await ask(name, [request.params.id]))[0]);
  });
}
for (const name of ['issues', 'issuesWhole', 'issuesOpen', 'activity', 'activityNamed']) {
  app.get(`/${name}/:id`, async (request, response) => {
    response.json(await ask(name, [request.params.id]));
  });
}
app.post('/createIssue/:id', express.json(), async (request, response) => {
  const values = [request.params.id, request.body.title, 'issue.created', number--];
  response.status(201).json((await ask('createIssue', values))[0]);
});
app.post('/comment/:id', express.json(), async (request, response) => {
  const values = [request.params.id, request.body.body, 'issue.commented'];
  response.status(201).json((await ask('comment', values))[0]);
});
app.patch('/patch/:id', express.json(), async (request, response) => {
  const values = [request.params.id, request.body.title, 'issue.updated'];
  response.json((await ask('patch', values))[0]);
});
app.post('/checkout/:id', express.json(), async (request, response) => {
  const values = [request.params.id, request.body.agentId, 'issue.checked_out'];
  const [claimed] = await ask('checkout', values);
  response.status(claimed ? 200 : 409).json(claimed ?? {});
});
app.post('/fire/:id', express.raw({ type: 'application/json' }), async (request, response) => {
  const {
    'x-secret': secret,
    'x-service-timestamp': time,
    'x-service-signature': given,
  } = request.headers;
  const hash = createHmac('sha256', secret).update(`${time}.`).update(request.body).digest('hex');
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(`sha256=${hash}`))) {
    response.sendStatus(401);
    return;
  }
  const values = [request.params.id, request.body.toString()];
  response.status(202).json((await ask('fire', values))[0]);
});

const server = app.listen(0, '127.0.0.1', () => {
  console.log(`bare server is listening ${server.address().port}`);
});
