import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatch, type Operation } from 'rfc6902';
import { parse } from 'yaml';
import { readRestoreSettings } from '../../services/orchestration/src/backup/backup-settings';
import { type Container, OVERLAYS, ROOT, rendered } from './manifest';
import { environmentOf } from './settings-rules';

interface CronJob {
  spec: { jobTemplate: { spec: JobSpec } };
}

interface JobSpec {
  backoffLimit: number;
  template: { spec: { containers: [Container & { args: string[] }] } };
}

const patch: Operation[] = parse(readFileSync(join(ROOT, 'k8s/restore.yaml'), 'utf8'));

const backups = OVERLAYS.filter((overlay) =>
  rendered(overlay).some(({ metadata }) => metadata.name === 'switchyard-backup'),
);

it.each(backups)('restore.yaml changes the backup Job of %s into a restore Job', (overlay) => {
  const manifests = rendered(overlay);
  const cronJob = manifests.find(({ kind }) => kind === 'CronJob') as unknown as CronJob;
  const job = structuredClone(cronJob.spec.jobTemplate);
  expect(applyPatch(job, patch).filter((problem) => problem !== null)).toEqual([]);

  const [container] = job.spec.template.spec.containers;
  const [file] = container.args.join(' ').match(/dist\/bin\/[\w-]+\.js/) as RegExpMatchArray;
  const source = file.replace('dist', 'src').replace('.js', '.ts');
  expect(existsSync(join(ROOT, 'services/orchestration', source))).toBe(true);
  const environment = environmentOf(manifests, container);
  expect(environment.BACKUP_TARGET).toMatch(/^(\/backups|s3:\/\/)/);
  const { masterKeys, databases } = readRestoreSettings(environment);
  expect(masterKeys?.current).toHaveLength(32);
  expect(masterKeys?.old).toHaveLength(32);
  expect(databases.orchestration).toContain('switchyard_owner');
  expect(job.spec.backoffLimit).toBe(0);
});
