import { untilAborted } from '@switchyard/async';
import { errorFields, type Logger } from '@switchyard/server';
import { asFailure, ExchangeFailure, presentFailure } from '../exchange/failure';
import type { Sink } from '../kinds/kind';
import type { ComponentResult } from './collect-contract';

export interface Component {
  name: string;
  skip?: ExchangeFailure | null;
  run(sink: Sink<unknown>): Promise<void>;
}

export interface Outcome {
  rows: unknown[];
  result: ComponentResult;
}

export const NOT_RUN: ComponentResult = {
  status: 'skipped',
  data_points: 0,
  duration_ms: 0,
  failures: [],
};

/**
 * Runs one component until it ends or reaches the deadline. Never throws: it logs and reports
 * failures, and the collection continues (specification, "What the service does").
 */
export async function runComponent(
  { name, skip, run }: Component,
  signal: AbortSignal,
  logger: Logger,
): Promise<Outcome> {
  const started = performance.now();
  if (skip) return outcomeOf({ rows: [], failures: [skip], ignored: [] }, 'skipped', started);
  const sink: Sink<unknown> = { rows: [], failures: [], ignored: [] };
  const work = run(sink).catch((error: unknown) => {
    if (!(error instanceof ExchangeFailure)) {
      logger.error('a component failed with an internal error', {
        component: name,
        ...errorFields(error),
      });
    }
    if (!signal.aborted) sink.failures.push(asFailure(error, name));
  });
  const isCut = await untilAborted(
    work.then(() => false),
    signal,
    () => true,
  );
  const seen: Sink<unknown> = {
    rows: [...sink.rows],
    failures: [...sink.failures],
    ignored: [...sink.ignored],
  };
  if (isCut) {
    seen.failures.push(
      new ExchangeFailure('deadline', name, 'the deadline of this component has passed'),
    );
  }
  for (const failure of seen.failures) {
    logger.warn('a read from the exchange failed', { component: name, ...presentFailure(failure) });
  }
  return outcomeOf(seen, statusOf(seen), started);
}

function statusOf(sink: Sink<unknown>): ComponentResult['status'] {
  if (sink.failures.length === 0) return 'ok';
  if (sink.failures.every(({ code }) => code === 'not_supported')) return 'skipped';
  return sink.rows.length > 0 ? 'partial' : 'failed';
}

function outcomeOf(
  { rows, failures, ignored }: Sink<unknown>,
  status: ComponentResult['status'],
  started: number,
): Outcome {
  return {
    rows,
    result: {
      status,
      data_points: rows.length,
      duration_ms: Math.round(performance.now() - started),
      failures: failures.map(presentFailure),
      ...(ignored.length > 0 && { ignored }),
    },
  };
}
