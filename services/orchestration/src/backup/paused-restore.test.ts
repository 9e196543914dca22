import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase, runSql } from '@switchyard/testing';
import { migrations, useBackupSystem } from '../../test/backup-system';
import { SECRETS_MASTER_KEY, startHarness } from '../../test/harness';
import { claimRun } from '../state/runs/claim-run';
import { backUp } from './back-up';
import { readRestoreOptions } from './backup-options';
import { restore } from './restore';

const system = useBackupSystem();
const { source } = system;

describe('restore --paused', () => {
  it('starts no run: waiting runs stay waiting, and running runs are marked for cancellation', async () => {
    const { id: companyId } = await source.build.company();
    const [one, other] = [
      await source.build.agent({ companyId }),
      await source.build.agent({ companyId }),
    ];
    const waiting = await source.build.queuedRun(one.id);
    const lost = await source.build.queuedRun(other.id);
    await claimRun(source.context, { id: lost.id, companyId, agentId: other.id }, 'lost');
    const end = `UPDATE heartbeat_run SET lease_expires_at = 'epoch' WHERE id = '${lost.id}'`;
    await runSql(source.database.ownerUrl, end);

    const scratch = await mkdtemp(join(tmpdir(), 'switchyard-paused-'));
    const metrics = await cloneDatabase('metrics');
    const orchestration = await cloneDatabase('orchestration');
    const emptyMetrics = await cloneDatabase('metrics');
    try {
      const files = source.config.files;
      const from = { orchestration: source.database.ownerUrl, metrics: metrics.ownerUrl };
      await backUp({ databases: from, files }, join(scratch, 'backup'));
      const settings = {
        databases: { orchestration: orchestration.ownerUrl, metrics: emptyMetrics.ownerUrl },
        files: { kind: 'local' as const, folder: join(scratch, 'files') },
        masterKeys: { current: Buffer.from(SECRETS_MASTER_KEY, 'base64'), old: null },
        migrations,
      };
      await restore(settings, join(scratch, 'backup'), { paused: true });
      const restored = await startHarness({ config: { databaseUrl: orchestration.url } });
      try {
        const claim = (id: string, agentId: string) =>
          claimRun(restored.context, { id, companyId, agentId }, 'a worker');
        expect(await claim(lost.id, other.id)).toBeNull();
        expect(await claim(waiting.id, one.id)).toBeNull();
        const { heartbeatRun } = restored.context.db.prisma;
        const ended = await heartbeatRun.findUniqueOrThrow({ where: { id: lost.id } });
        expect(ended).toMatchObject({ cancelReason: 'company_paused' });
        const company = `/api/companies/${companyId}`;
        expect((await restored.api.get(company)).body.status).toBe('paused');
        await restored.api.patch(company).send({ status: 'active' }).expect(200);
        expect(await claim(waiting.id, one.id)).toMatchObject({ id: waiting.id });
      } finally {
        await restored.close();
      }
    } finally {
      for (const database of [metrics, orchestration, emptyMetrics]) await database.drop();
      await rm(scratch, { recursive: true });
    }
  });

  it('requires the exact option --paused, and is off by default', () => {
    expect(readRestoreOptions(['/backup', '--paused'])).toMatchObject({ paused: true });
    expect(readRestoreOptions(['/backup'])).toMatchObject({ paused: false, key: null });
    expect(() => readRestoreOptions(['/backup', '--pause'])).toThrow('[--paused]');
  });
});
