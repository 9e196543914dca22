import { errorFields, type Logger } from '@switchyard/server';
import { asFailure, ExchangeFailure, presentFailure } from '../exchange/failure';
import type { ComponentResult } from './collect-request';

/** Where a component puts what it got, item by item, so that a deadline cuts off the rest and no more. */
export interface Sink<Row> {
  rows: Row[];
  failures: ExchangeFailure[];
}

export interface ComponentOutcome<Row> {
  rows: Row[];
  result: ComponentResult;
}

export interface Component<Row> {
  name: string;
  /** Why it cannot run at all, e.g. no keys; the service is not at fault then. */
  skip?: ExchangeFailure | null;
  run(sink: Sink<Row>, signal: AbortSignal): Promise<void>;
}

function statusOf(sink: Sink<unknown>): ComponentResult['status'] {
  if (sink.failures.length === 0) return 'ok';
  return sink.rows.length > 0 ? 'partial' : 'failed';
}

function outcome<Row>(
  sink: Sink<Row>,
  status: ComponentResult['status'],
  started: number,
): ComponentOutcome<Row> {
  return {
    rows: [...sink.rows],
    result: {
      status,
      data_points: sink.rows.length,
      duration_ms: Math.round(performance.now() - started),
      failures: sink.failures.map(presentFailure),
    },
  };
}

/**
 * Runs one component to its end or to the deadline. It never throws: a failing exchange is logged and
 * reported, and the collection goes on (specification, "What the service does", 4).
 */
export async function runComponent<Row>(
  { name, skip, run }: Component<Row>,
  signal: AbortSignal,
  logger: Logger,
): Promise<ComponentOutcome<Row>> {
  const started = performance.now();
  if (skip) return outcome<Row>({ rows: [], failures: [skip] }, 'skipped', started);
  const sink: Sink<Row> = { rows: [], failures: [] };
  let stopWaiting = () => {};
  const cut = new Promise<'cut'>((resolve) => {
    stopWaiting = () => resolve('cut');
    if (signal.aborted) resolve('cut');
    else signal.addEventListener('abort', stopWaiting, { once: true });
  });
  const work = run(sink, signal).catch((error: unknown) => {
    if (!(error instanceof ExchangeFailure)) {
      logger.error('a component failed inside', { component: name, ...errorFields(error) });
    }
    if (!signal.aborted) sink.failures.push(asFailure(error, name));
  });
  const end = await Promise.race([work, cut]);
  signal.removeEventListener('abort', stopWaiting);
  const seen: Sink<Row> = { rows: [...sink.rows], failures: [...sink.failures] };
  if (end === 'cut') {
    seen.failures.push(
      new ExchangeFailure('deadline', name, 'the time for this component was over'),
    );
  }
  for (const failure of seen.failures) {
    logger.warn('the exchange gave nothing', { component: name, ...presentFailure(failure) });
  }
  return outcome(seen, statusOf(seen), started);
}
