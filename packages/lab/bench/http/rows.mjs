import { json, load } from '../shared/load.mjs';

const SUPPLY = 10_000;
const PRODUCTS = ['own', 'before'];

export function requestRows(fixtureOf) {
  const row = (title, request, targets) => ({
    title,
    targets,
    run: (target) => {
      const { path, bare, ...fields } = request(fixtureOf(target));
      return load({
        url: target.url,
        path: target.name === 'bare' ? bare : `/api${path}`,
        request: fields,
      });
    },
  });
  return [
    row('GET issue, nothing linked', ({ plain }) => ({
      path: `/issues/${plain}`,
      bare: `/issue/${plain}`,
    })),
    row('GET issue, all linked', ({ linked }) => ({
      path: `/issues/${linked}`,
      bare: `/issue/${linked}`,
    })),
    row('GET agent', ({ agents: [agent] }) => ({
      path: `/agents/${agent}`,
      bare: `/agent/${agent}`,
    })),
    row('GET agents/me', ({ agents: [agent], key }) => ({
      path: '/agents/me',
      bare: `/agent/${agent}`,
      headers: { authorization: `Bearer ${key}` },
    })),
    row('GET dashboard', ({ company }) => ({ path: `/companies/${company}/dashboard` }), PRODUCTS),
    row('POST issue', ({ company }) => ({
      path: `/companies/${company}/issues`,
      bare: `/createIssue/${company}`,
      ...json({ title: 'Made', status: 'todo' }),
    })),
    row('POST comment', ({ plain }) => ({
      path: `/issues/${plain}/comments`,
      bare: `/comment/${plain}`,
      ...json({ body: 'a word or two' }),
    })),
    row(
      'POST invoke, run waits',
      ({ agents: [, agent] }) => ({ path: `/agents/${agent}/heartbeat/invoke`, ...json({}) }),
      PRODUCTS,
    ),
    {
      title: 'PATCH issue',
      run: (target) => {
        const { patched } = fixtureOf(target);
        let turn = 0;
        const path = target.name === 'bare' ? `/patch/${patched}` : `/api/issues/${patched}`;
        const next = () => ({ path, ...json({ title: `Title ${turn++}` }, 'PATCH') });
        return load({ url: target.url, next });
      },
    },
    {
      title: 'checkout of distinct issues',
      prepare: (target) => fixtureOf(target).waiting(SUPPLY),
      run: (target, waiting) => {
        const [agent] = fixtureOf(target).agents;
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
