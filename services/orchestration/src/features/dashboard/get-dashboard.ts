import { ask } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { DashboardView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { readDashboard } from './dashboard-statement';
import { presentDashboard } from './present-dashboard';

export async function getDashboard(call: Call): Promise<DashboardView> {
  const [row] = await ask(call.db, readDashboard, { companyId: call.companyId });
  if (!row) throw notFound('company');
  return presentDashboard(row, call.context.config);
}
