import { post } from '../shared/build-company.mjs';

export const CALLERS = 50;

export async function buildFixture(api, pool) {
  const company = await post(`${api}/companies`, { name: 'Bench' });
  const at = `${api}/companies/${company.id}`;
  const agents = [];
  for (let n = 0; n < CALLERS; n++) {
    const adapter = { adapterType: 'process', adapterConfig: { command: 'true' } };
    agents.push((await post(`${at}/agents`, { name: `Agent ${n}`, ...adapter })).id);
  }
  const { key } = await post(`${api}/agents/${agents[0]}/keys`, { name: 'bench' });
  const goal = await post(`${at}/goals`, { title: 'Goal' });
  const project = await post(`${at}/projects`, { name: 'Project', goalIds: [goal.id] });
  let parentId;
  for (let depth = 0; depth < 3; depth++) {
    const parent = { title: 'Parent', ...(parentId && { parentId }) };
    parentId = (await post(`${at}/issues`, parent)).id;
  }
  const text = { description: 'text '.repeat(100) };
  const links = { parentId, projectId: project.id, goalId: goal.id };
  const linked = await post(`${at}/issues`, { title: 'Linked', ...text, ...links });
  const plain = await post(`${at}/issues`, { title: 'Plain', ...text });
  const patched = await post(`${at}/issues`, { title: 'Patched', ...text });
  for (let n = 0; n < 100; n++) {
    await post(`${at}/issues`, { title: `Issue ${n}`, status: 'todo' });
  }
  const webhook = async (concurrencyPolicy, assigneeAgentId) => {
    const routine = { title: 'Fires', assigneeAgentId, projectId: project.id, concurrencyPolicy };
    const { id } = await post(`${at}/routines`, routine);
    return post(`${api}/routines/${id}/triggers`, { kind: 'webhook' });
  };
  const webhooks = {
    coalesced: await webhook('coalesce_if_active', agents[4]),
    enqueued: await webhook('always_enqueue', agents[3]),
  };
  return {
    webhooks,
    end: (agentId) =>
      pool.query(
        `UPDATE heartbeat_run SET status = 'cancelled', finished_at = now()
         WHERE agent_id = $1 AND status = 'queued'`,
        [agentId],
      ),
    company: company.id,
    agents,
    key,
    plain: plain.id,
    linked: linked.id,
    patched: patched.id,
    waiting: (count) => insertWaiting(pool, company.id, count),
  };
}

async function insertWaiting(pool, companyId, count) {
  const { rows } = await pool.query(
    `WITH numbered AS (
       INSERT INTO issue_counter AS c (company_id, last_number) VALUES ($1, $2)
       ON CONFLICT (company_id) DO UPDATE SET last_number = c.last_number + $2
       RETURNING last_number - $2 AS first
     )
     INSERT INTO issue (id, company_id, issue_number, identifier, title, status, priority, priority_rank)
     SELECT gen_random_uuid(), $1, first + n, issue_prefix || '-' || (first + n), 'Waiting', 'todo', 'low', 3
     FROM numbered, company, generate_series(1, $2::int) n WHERE company.id = $1 RETURNING issue.id`,
    [companyId, count],
  );
  return rows.map(({ id }) => id);
}
