import type { Database } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { HeartbeatRunView } from '@switchyard/types';
import { presentRun } from './present-run';

export async function getRun(db: Database, id: string): Promise<HeartbeatRunView> {
  const run = await db.prisma.heartbeatRun.findUnique({ where: { id } });
  if (!run) throw notFound('heartbeat run');
  return presentRun(run);
}
