import { ask } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { OverviewView } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { presentFigures, readFigures } from './figures';
import { presentRunningRuns, readRunningRuns } from './running-runs';
import { presentWaitingRuns, readWaitingRuns } from './waiting-runs';

export async function getOverview(call: Call): Promise<OverviewView> {
  const { db, companyId, context } = call;
  const { maxRunningRunsPerCompany: maxRunning } = context.config;
  const [[figures], running, waiting] = await Promise.all([
    ask(db, readFigures, { companyId }),
    ask(db, readRunningRuns, { companyId }),
    ask(db, readWaitingRuns, { companyId, maxRunning }),
  ]);
  if (!figures) throw notFound('company');
  return {
    ...presentFigures(figures),
    running: presentRunningRuns(running),
    waiting: presentWaitingRuns(waiting),
  };
}
