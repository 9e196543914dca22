import type { ErrorCode } from '@switchyard/types';
import { openAsker } from './ask';
import { useAuthenticatedHarness } from './authenticated-harness';
import { everything } from './everything';
import { useHarness } from './harness';
import { QUERIES, WRONG_PATHS } from './mistakes/addresses';
import { BODIES } from './mistakes/bodies';
import { CREDENTIALS } from './mistakes/credentials';
import type { Mistake } from './mistakes/mistake';
import { buildSignedInScene, MISTAKES_OF_PEOPLE, type SignedInScene } from './mistakes/of-people';
import { RIGHTS } from './mistakes/rights';
import { buildMistakesScene, type MistakesScene } from './mistakes/scene';
import { WORK } from './mistakes/work';

const TYPICAL_MISTAKES = [
  ...WRONG_PATHS,
  ...CREDENTIALS,
  ...BODIES,
  ...QUERIES,
  ...WORK,
  ...RIGHTS,
];

type Harness = Parameters<typeof everything>[0] & { url: string };

async function makeMistake<Scene>(harness: Harness, scene: Scene, mistake: Mistake<Scene>) {
  const { ask, status, code, says } = mistake;
  const asker = openAsker(harness.url);
  const before = await everything(harness);
  const reply = await asker.ask(ask(scene));
  await asker.close();
  const expected: { code: ErrorCode; error: string } = {
    code,
    error: expect.stringMatching(says),
  };
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status, body: expected });
  expect(reply.headers['x-acting-as']).toMatch(
    /^(?:local-board|(?:agent|user):[0-9a-f-]{36}|anonymous)$/,
  );
  expect(await everything(harness)).toEqual(before);
}

const named = <Scene>(mistakes: Mistake<Scene>[]) =>
  mistakes.map((mistake) => [mistake.name, mistake] as const);

describe('common mistakes of API users', () => {
  const harness = useHarness();
  let scene: MistakesScene;
  beforeAll(async () => {
    scene = await buildMistakesScene(harness);
  });

  it('include at least sixty different mistakes', () => {
    const names = TYPICAL_MISTAKES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  it.each(named(TYPICAL_MISTAKES))(
    'cause the expected error and no change: %s',
    async (_, mistake) => {
      await makeMistake(harness, scene, mistake);
    },
  );
});

describe('common mistakes of API users in authenticated mode', () => {
  const harness = useAuthenticatedHarness();
  let scene: SignedInScene;
  beforeAll(async () => {
    scene = await buildSignedInScene(harness);
  });

  it.each(named(MISTAKES_OF_PEOPLE))(
    'cause the expected error and no change: %s',
    async (_, mistake) => {
      await makeMistake(harness, scene, mistake);
    },
  );
});
