import { INBOX_KINDS, type InboxCounts } from '@switchyard/types';
import fc from 'fast-check';
import { useHarness } from '../../../test/harness';
import { inboxOf, isRoute, take } from '../../../test/inbox-actions';
import { foundWorld, happen, histories, type World } from '../../../test/inbox-histories';
import { needsOf } from '../../../test/inbox-oracle';

const RUNS = {
  numRuns: Number(process.env.INBOX_HISTORIES ?? 60),
  seed: Number(process.env.FUZZ_SEED ?? 20_261_122),
};

const CHANGES = ['assign', 'check', 'start'];
const MAY_STAY = ['check_failed', 'failed_run', 'agent_stopped'];
const ACTIONS_TRIED = 4;

describe('the inbox after a generated history', () => {
  const harness = useHarness();
  const taken = new Set<string>();

  const expectComplete = async ({ companyId }: World) => {
    const items = await inboxOf(harness.api, companyId);
    const needs = await needsOf(harness.db, companyId, 'local-board');
    expect(items.map(({ id }) => id).sort()).toEqual(needs);
    for (const item of items) {
      expect(item.severity).toBe(INBOX_KINDS[item.kind]);
      expect(item.actions.length).toBeGreaterThan(0);
      expect(`${item.title} ${item.reason}`).not.toMatch(/undefined|null|NaN/);
    }
    const order = items.map(
      ({ severity, since }) =>
        `${severity === 'blocking' ? 0 : severity === 'warning' ? 1 : 2}${since}`,
    );
    expect(order).toEqual([...order].sort());
    return items;
  };

  const expectCounted = async ({ companyId }: World, total: number) => {
    const { body } = await harness.api.get(`/api/companies/${companyId}/inbox/counts`).expect(200);
    expect((body as InboxCounts).total).toBe(total);
  };

  const tryAction = async (world: World, choice: number) => {
    const items = await inboxOf(harness.api, world.companyId);
    const item = items[choice % Math.max(1, items.length)];
    const action = item?.actions[choice % item.actions.length];
    if (!item || !action) return;
    const what = `${item.kind} ${action.name}`;
    taken.add(what);
    expect(isRoute(action)).toBe(true);
    const { id: agent } = await harness.build.agent({ companyId: world.companyId });
    const fill = {
      agent,
      text: 'So be it',
      cronExpression: '0 10 * * *',
      json: { command: 'true' },
    };
    const answer = await take(harness.api, action, { ...fill, choice: 'yes' });
    const isTaken = answer.status >= 200 && answer.status < 300;
    expect({ what, isTaken, body: answer.body }).toMatchObject({ isTaken: true });
    const after = await expectComplete(world);
    if (
      !CHANGES.includes(action.name) &&
      !(action.name === 'configure' && MAY_STAY.includes(item.kind))
    ) {
      expect({ what, left: after.filter(({ id }) => id === item.id) }).toEqual({ what, left: [] });
    }
  };

  it('counts each kind after two concurrent writers as a full computation does', async () => {
    await fc.assert(
      fc.asyncProperty(histories, histories, async (one, other) => {
        const world = await foundWorld(harness);
        const write = async (history: typeof one) => {
          for (const step of history) await happen(world, step);
        };
        await Promise.all([write(one), write(other)]);
        const { companyId } = world;
        const { body } = await harness.api.get(`/api/companies/${companyId}/inbox/counts`);
        const { byKind, total } = body as InboxCounts;
        const needs = await needsOf(harness.db, companyId, 'local-board');
        const kinds = needs.map((id) => id.split(':')[0] ?? '');
        const wanted = kinds.map((kind) => [kind, kinds.filter((one) => one === kind).length]);
        const counted = Object.entries(byKind).filter(([, n]) => n > 0);
        expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(wanted));
        expect(total).toBe(needs.length);
      }),
      { ...RUNS, numRuns: Math.ceil(RUNS.numRuns / 4) },
    );
  }, 3_600_000);

  it('contains exactly the items that need a person, and only actions that work', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(999), async (history, choice) => {
        const world = await foundWorld(harness);
        try {
          for (const [at, step] of history.entries()) {
            await happen(world, step);
            if (at % 6 === 5) await expectComplete(world);
          }
          await expectCounted(world, (await expectComplete(world)).length);
          for (let at = 0; at < ACTIONS_TRIED; at++) await tryAction(world, choice + 7 * at);
        } finally {
          await harness.api.post(`/api/companies/${world.companyId}/archive`).expect(200);
        }
        expect(await inboxOf(harness.api, world.companyId)).toEqual([]);
      }),
      RUNS,
    );
    expect(taken.size).toBeGreaterThan(20);
  }, 3_600_000);
});
