import { useHarness } from './harness';
import { WORK } from './manual/begin-work';
import { DELEGATION } from './manual/delegate';
import { FINISH } from './manual/finish-work';
import { SURROUNDINGS } from './manual/look-around';
import type { Walk } from './manual/walk';

const STEPS = [...WORK, ...FINISH, ...DELEGATION, ...SURROUNDINGS];

/**
 * Follows, from inside a run, the procedures in the manual of another orchestrator. A step that
 * does not apply here states the reason.
 */
describe('an agent that follows the manual of another orchestrator', () => {
  const harness = useHarness();
  let walk: Walk;

  beforeAll(async () => {
    const { build, api } = harness;
    const { id: companyId } = await build.company();
    const boss = await build.agent({ companyId, name: 'Boss' });
    const me = await build.agent({ companyId, name: 'Ada', reportsTo: boss.id });
    const colleague = await build.agent({ companyId, name: 'Grace Hopper' });
    const run = await build.liveRun(me);
    const as = (method: 'get' | 'post' | 'patch' | 'put') => (path: string, body?: object) => {
      const sent = api[method](path).set('Authorization', run.authorization);
      return body ? sent.send(body) : sent;
    };
    const project = await build.project({ companyId });
    const issue = await build.issue({
      companyId,
      projectId: project.id,
      assigneeAgentId: me.id,
      status: 'todo',
    });
    walk = {
      companyId,
      me,
      run,
      boss,
      colleague,
      issue,
      get: as('get'),
      post: as('post'),
      patch: as('patch'),
      put: as('put'),
      work: harness.drain,
      board: api,
      left: {},
    };
  });

  it.each(STEPS.map((step, at) => [at + 1, step.title, step] as const))(
    'can perform step %i or does not need the step: %s',
    async (_number, _title, step) => {
      if ('notNeeded' in step) expect(step.notNeeded).toMatch(/\w+ \w+/);
      else await step.walk(walk);
    },
  );

  it('finds 67 steps in the manual', () => expect(STEPS).toHaveLength(67));
});
