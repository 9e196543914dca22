import { inTransaction, newId, openDatabase } from '@switchyard/db';
import { useHarness } from '../../test/harness';
import { recordActivities } from './activity';
import { SYSTEM } from './actor';

describe('recording activity', () => {
  const harness = useHarness();

  it('announces activity of each company once per transaction, after the commit', async () => {
    const announced: string[][] = [];
    const db = openDatabase({
      url: harness.config.databaseUrl,
      size: 2,
      applicationName: 'test',
      onIdleError: () => undefined,
      announce: (topics) => announced.push([...topics]),
    });
    const one = await harness.build.company();
    const two = await harness.build.company();
    const entry = { actor: SYSTEM, action: 'test.done', entityType: 'test', entityId: newId() };
    try {
      await inTransaction(db, async (tx) => {
        for (const { id } of [one, two, one])
          await recordActivities(tx, [{ ...entry, companyId: id }]);
        expect(announced).toEqual([]);
      });
      expect(announced).toEqual([[one.id, two.id]]);

      const refused = inTransaction(db, async (tx) => {
        await recordActivities(tx, [{ ...entry, companyId: one.id }]);
        throw new Error('refused');
      });
      await expect(refused).rejects.toThrow('refused');
      await inTransaction(db, async () => undefined);
      expect(announced).toHaveLength(1);
    } finally {
      await db.close();
    }
  });
});
