import { openAsker } from './ask';
import { everything } from './everything';
import { useHarness } from './harness';
import { buildMistakesScene, type MistakesScene } from './mistakes-scene';
import { TYPICAL_MISTAKES } from './typical-mistakes';

describe('a typical mistake is answered with what to do instead, and changes nothing', () => {
  const harness = useHarness();
  let asker: ReturnType<typeof openAsker>;
  let scene: MistakesScene;
  beforeAll(async () => {
    scene = await buildMistakesScene(harness);
    asker = openAsker(harness.url);
  });
  afterAll(() => asker.close());

  it('for sixty of them at least, each once', () => {
    const names = TYPICAL_MISTAKES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  it.each(TYPICAL_MISTAKES.map((mistake) => [mistake.name, mistake] as const))(
    '%s',
    async (_, { ask, status, code, says }) => {
      const before = await everything(harness);
      const reply = await asker.ask(ask(scene));
      expect({ status: reply.status, body: reply.body }).toMatchObject({
        status,
        body: { code, error: expect.stringMatching(says) },
      });
      expect(reply.headers['x-acting-as']).toMatch(
        /^(?:local-board|agent:[0-9a-f-]{36}|anonymous)$/,
      );
      expect(await everything(harness)).toEqual(before);
    },
  );
});
