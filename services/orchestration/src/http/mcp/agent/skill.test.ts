import { CALLS, LLMS_TXT } from '@switchyard/runner/agents/coding-agents/prompt/skill';
import { useHarness } from '../../../../test/harness';
import { allRoutes } from '../../routes';
import { AGENT_TOOLS } from './agent-tools';

const MOST_WORDS = 500;

describe('the skill of an agent', () => {
  const harness = useHarness();

  it('has at most 500 words', () => {
    expect(LLMS_TXT.split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS);
  });

  it('lists every tool, and no call that does not exist', () => {
    for (const name of AGENT_TOOLS.tools.keys()) expect(CALLS).toContain(name);
    const calls = [...CALLS.matchAll(/^(GET|POST|PATCH|PUT) +([^\s?]+)/gm)];
    expect(calls.length).toBeGreaterThan(10);
    for (const [, method, path = ''] of calls) {
      const pattern = `/api${path}`.replace(/\{\w+\}|\$SERVICE_\w+/g, ':id');
      const isThere = allRoutes.some(
        (route) => route.method === method && route.path.replace(/:\w+/g, ':id') === pattern,
      );
      expect({ method, path, isThere }).toEqual({ method, path, isThere: true });
    }
  });

  it('appears in /llms.txt, whose links all resolve', async () => {
    const { text, headers } = await harness.api.get('/llms.txt').expect(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path]) => String(path));
    expect(links).toHaveLength(3);
    for (const path of links) await harness.api.get(path).expect(200);
  });
});
