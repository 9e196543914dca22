import { json, load } from '../shared/load.mjs';

const SUPPLY = 10_000;

export function requestRows(fixture) {
  const { company, agents, key, plain, linked, patched } = fixture;
  const at = `/companies/${company}`;
  const [agent] = agents;
  const bearer = { headers: { authorization: `Bearer ${key}` } };
  const row = (title, path, bare, request) => ({
    title,
    targets: bare ? undefined : ['own', 'before'],
    run: (target) =>
      load({ url: target.url, path: target.name === 'bare' ? bare : `/api${path}`, request }),
  });
  return [
    row('GET issue, nothing linked', `/issues/${plain}`, `/issue/${plain}`),
    row('GET issue, all linked', `/issues/${linked}`, `/issue/${linked}`),
    row('GET agent', `/agents/${agent}`, `/agent/${agent}`),
    row('GET agents/me', '/agents/me', `/agent/${agent}`, bearer),
    row('GET dashboard', `${at}/dashboard`),
    row(
      'POST issue',
      `${at}/issues`,
      `/createIssue/${company}`,
      json({ title: 'Made', status: 'todo' }),
    ),
    row(
      'POST comment',
      `/issues/${plain}/comments`,
      `/comment/${plain}`,
      json({ body: 'a word or two' }),
    ),
    row('POST invoke, run waits', `/agents/${agents[1]}/heartbeat/invoke`, null, json({})),
    {
      title: 'PATCH issue',
      run: (target) => {
        let turn = 0;
        const path = target.name === 'bare' ? `/patch/${patched}` : `/api/issues/${patched}`;
        const next = () => ({ path, ...json({ title: `Title ${turn++}` }, 'PATCH') });
        return load({ url: target.url, next });
      },
    },
    {
      title: 'checkout of distinct issues',
      prepare: () => fixture.waiting(SUPPLY),
      run: (target, waiting) => {
        const next = () => checkout(target, waiting.pop() ?? 'none is left', agent);
        return load({ url: target.url, next });
      },
    },
  ];
}

export const checkout = (target, issueId, agentId) => ({
  path: target.name === 'bare' ? `/checkout/${issueId}` : `/api/issues/${issueId}/checkout`,
  ...json({ agentId, expectedStatuses: ['todo'] }),
});
