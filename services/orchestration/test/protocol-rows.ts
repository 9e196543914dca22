import { USAGE } from './runner-client';
import type { RouteRow } from './security-table';

/** Nobody but a runner is known there. */
const ofRunners = (body?: RouteRow['body']): RouteRow => ({
  access: 'runner',
  status: 401,
  foreignIds: 401,
  ...(body && { body }),
});

/** The rows of what runners call, for the table of all routes. */
export const PROTOCOL_ROWS: Record<string, RouteRow> = {
  'POST /api/runner/hello': ofRunners(({ runnerId }) => ({
    name: 'desk',
    instance: runnerId,
    labels: ['gpu'],
    capacity: 4,
    sandbox: { driver: 'off', detail: '' },
    probes: [{ adapterType: 'process', found: true, message: 'there' }],
  })),
  'POST /api/runner/next': ofRunners(({ runnerId, runId }) => ({
    instance: runnerId,
    free: 1,
    running: [runId],
    checks: 1,
    waitMs: 0,
  })),
  'POST /api/runner/leases': ofRunners(({ runnerId, runId }) => ({
    instance: runnerId,
    runs: [{ runId, epoch: 1 }],
  })),
  'POST /api/runner/runs/:runId/log': ofRunners(),
  'POST /api/runner/runs/:runId/usage': ofRunners(() => ({ seq: 1, usage: USAGE })),
  'PUT /api/runner/runs/:runId/session': ofRunners(() => ({ id: 'talk', directory: '/tmp' })),
  'POST /api/runner/runs/:runId/end': ofRunners(() => ({
    outcome: { status: 'succeeded', exitCode: 0 },
  })),
  'POST /api/runner/runs/:runId/release': ofRunners(() => ({ isFault: false })),
  'POST /api/runner/checks/:checkId': ofRunners(() => ({ findings: [] })),
};
