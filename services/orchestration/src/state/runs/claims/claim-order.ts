/**
 * SQL: the sort key of waiting runs; the lowest starts first. It is the time at which `run` became
 * ready, plus a constant per priority (0 for critical, 24 hours for low). An index has this order.
 */
export const startsBySql = (run: string): string =>
  `run_starts_by(${run}.created_at, ${run}.not_before, ${run}.priority_rank)`;

export const claimOrderSql = (run: string): string => `${startsBySql(run)}, ${run}.id`;

/** SQL: true if `agent` runs fewer runs than it may run at a time. */
export const hasRoomSql = (agent: string): string => `((SELECT count(*) FROM heartbeat_run busy
  WHERE busy.agent_id = ${agent}.id AND busy.status = 'running') < ${agent}.max_concurrent_runs)`;

export const isReadySql = (run: string): string =>
  `coalesce(${run}.not_before, '-infinity') <= now()`;
