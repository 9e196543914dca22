import { type Origin, tracing, withLogContext } from '@switchyard/server';

export function asPartOfRun<T>(
  run: Partial<Origin> & { id: string; companyId: string; agentId: string },
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const { id: runId, companyId, agentId, correlationId, traceContext } = run;
  const attributes = { 'switchyard.run_id': runId, 'switchyard.agent_id': agentId };
  const job = { name: 'heartbeat-runs process', kind: 'job', parent: traceContext } as const;
  return withLogContext({ correlationId: correlationId ?? runId, runId, companyId }, () =>
    tracing().inSpan(job, () => tracing().inSpan({ name, kind: 'part', attributes }, work)),
  );
}
