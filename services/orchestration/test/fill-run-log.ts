import type { Harness } from './harness';

export async function fillRunLog(
  { asOwner }: Pick<Harness, 'asOwner'>,
  runId: string,
  megabytes: number,
) {
  await asOwner(`
    INSERT INTO run_log_chunk (company_id, run_id, start_offset, content)
    SELECT company_id, id, n * 65536, convert_to(repeat('x', 65536), 'UTF8')
    FROM heartbeat_run, generate_series(0, ${megabytes * 16 - 1}) n WHERE id = '${runId}'`);
  await asOwner(
    `UPDATE heartbeat_run SET log_bytes = ${megabytes * 1_048_576} WHERE id = '${runId}'`,
  );
}
