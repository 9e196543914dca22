import { randomBytes } from 'node:crypto';
import { backUp } from '../src/backup/back-up';
import { type BackupSystem, inDatabase, useBackupSystem } from './backup-system';
import { SUCCEEDED } from './scripted-adapter';
import { buildSide } from './world';

export const TEXT = 'tab\tnewline\nreturn\r backslash \\N \\. é 中 \u2028 end';

export interface FilledSystem extends BackupSystem {
  companyId: string;
  backup: string;
}

export function useFilledSystem(): FilledSystem {
  const system = useBackupSystem() as FilledSystem;
  beforeAll(async () => {
    const { source, metrics } = system;
    const { ids } = await buildSide(source);
    system.companyId = ids.companyId;
    const issues = `/api/companies/${ids.companyId}/issues`;
    await source.api
      .post(`${issues}/${ids.issueId}/attachments`)
      .attach('file', randomBytes(200_000), 'random.bin')
      .expect(201);
    await source.api.post(issues).send({ title: 'Text', description: TEXT }).expect(201);
    source.scripted.on('*', (run) => {
      run.onOutput(Buffer.from(TEXT));
      return SUCCEEDED;
    });
    await source.build.queuedRun(ids.colleagueId as string);
    await source.drain();
    await inDatabase(metrics.ownerUrl, (pool) => pool.query(COLLECTION, ['one', TEXT]));
    system.backup = system.newFolder();
    await backUp(system.settings(), system.backup);
  });
  return system;
}

const COLLECTION = `
  INSERT INTO collection (collection_id, status, source, correlation_id, started_at, request_hash,
    exchange, simulated, components, answer)
  VALUES ($1, 'success', 'n8n', 'c', now(), 'h', 'simulated', true, '{"a": [1]}', $2)`;
