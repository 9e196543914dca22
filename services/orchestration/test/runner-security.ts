import { COST, ofRunners, type RouteRow } from './security-rows';

export const RUNNER_ROWS: Record<string, RouteRow> = {
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
    seq: 1,
    free: 1,
    running: [runId],
    checks: 1,
    waitMs: 0,
  })),
  'POST /api/runner/redeem': ofRunners(() => ({ key: 'k'.repeat(43) })),
  'POST /api/runner/leases': ofRunners(({ runnerId, runId }) => ({
    instance: runnerId,
    runs: [{ runId, epoch: 1 }],
  })),
  'POST /api/runner/folders': ofRunners(({ runId }) => ({ runIds: [runId], agentIds: [] })),
  'POST /api/runner/runs/:runId/log': ofRunners(),
  'POST /api/runner/runs/:runId/usage': ofRunners(() => ({ seq: 1, usage: COST })),
  'POST /api/runner/runs/:runId/reserve': ofRunners(({ runId }) => ({ id: runId, cents: 1 })),
  'POST /api/runner/runs/:runId/settle': ofRunners(({ runId }) => ({ id: runId, usage: COST })),
  'PUT /api/runner/runs/:runId/session': ofRunners(() => ({ id: 'talk', directory: '/tmp' })),
  'POST /api/runner/runs/:runId/end': ofRunners(() => ({
    outcome: { status: 'succeeded', exitCode: 0 },
  })),
  'POST /api/runner/runs/:runId/release': ofRunners(() => ({ isFault: false })),
  'POST /api/runner/checks/:checkId': ofRunners(() => ({ findings: [] })),
};
