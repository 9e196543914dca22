import { Agent, request } from 'node:http';
import { percentile } from '../shared/measure.mjs';
import { CALLERS } from './fixture.mjs';
import { checkout } from './rows.mjs';

const RACES = 20;

export const RACE = {
  title: `race of ${CALLERS} on one issue`,
  prepare: ({ fixture }) => fixture.waiting(RACES),
  run: async (target, waiting) => {
    const { agents } = target.fixture;
    const agent = new Agent({ keepAlive: true, maxSockets: agents.length });
    const times = [];
    const began = performance.now();
    for (const issueId of waiting) {
      const calls = agents.map((id) => timed(agent, target, checkout(target, issueId, id)));
      const answers = await Promise.all(calls);
      const won = answers.filter(({ status }) => status === 200).length;
      const refused = answers.filter(({ status }) => status === 409).length;
      if (won !== 1 || won + refused !== answers.length) {
        throw new Error(`${won} callers won: ${answers.map(({ status }) => status).join(' ')}`);
      }
      times.push(...answers.map(({ ms }) => ms));
    }
    const seconds = (performance.now() - began) / 1_000;
    agent.destroy();
    return {
      count: times.length,
      perSecond: times.length / seconds,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
    };
  },
};

function timed(agent, target, { path, method, headers, body }) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const length = { 'content-length': Buffer.byteLength(body) };
    request(
      `${target.url}${path}`,
      { agent, method, headers: { ...headers, ...length } },
      (response) => {
        const settle = () =>
          resolve({ status: response.statusCode, ms: performance.now() - began });
        response.resume().on('end', settle);
      },
    )
      .on('error', reject)
      .end(body);
  });
}
