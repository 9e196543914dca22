import { useHarness } from '../harness';
import { WITH_RUNNERS } from '../runner-client';
import { allOrders, type Scenario } from './interleave';
import { type GatedSession, readBlocked, startSession } from './sessions';

export function useOrders(names: readonly string[]) {
  const harness = useHarness({ config: WITH_RUNNERS });
  const sessions: GatedSession[] = [];
  beforeAll(async () => {
    for (const name of names) sessions.push(await startSession(harness, name));
  });
  afterAll(async () => {
    for (const session of sessions) await session.close();
  });

  const sql = async (text: string, ...values: unknown[]) =>
    (await harness.context.db.pool.query(text, values)).rows;

  return {
    harness,
    sessions,
    sql,
    outcomesOf: async (begin: () => Promise<Scenario<GatedSession>>, mostSwitches?: number) => {
      const blocked = readBlocked(harness);
      const walk = await allOrders(sessions, blocked, begin, mostSwitches);
      const { orders, deviating, outcomes } = walk;
      process.stdout.write(
        `${expect.getState().currentTestName}: ${orders} orders, ${deviating} could not be repeated exactly\n`,
      );
      expect(orders).toBeGreaterThan(1);
      return [...outcomes.keys()].sort().map((key) => JSON.parse(key));
    },
    read: async (path: string) => (await harness.api.get(path).expect(200)).body,
    runsOf: async (agentId: string): Promise<string[]> =>
      (
        await sql(`SELECT status FROM heartbeat_run WHERE agent_id = $1 ORDER BY status`, agentId)
      ).map(({ status }) => status),
  };
}
