export const isLiveSql = (run: string) => `${run}.status IN ('queued', 'running')`;

export const isFailure = ({ status }: { status: string }) =>
  status === 'failed' || status === 'timed_out';

export const isFailureSql = (run: string) => `${run}.status IN ('failed', 'timed_out')`;
