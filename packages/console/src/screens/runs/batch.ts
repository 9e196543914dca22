import { unwrap } from '@switchyard/client';
import { api, type Schemas } from '../../data/api';
import type { RunFilters } from './use-run-filters';

export type Verb = 'cancel' | 'retry';
export type Chosen = { runIds: readonly string[] } | { filter: RunFilters };

export interface BatchResult {
  done: number;
  refused: Schemas['CancelledRuns']['refused'];
}

export async function countBatch(companyId: string, verb: Verb, chosen: Chosen): Promise<number> {
  let count = 0;
  for (const body of bodiesOf(verb, chosen)) {
    const answer = await send(companyId, verb, { ...body, dryRun: true });
    count += answer?.count ?? 0;
  }
  return count;
}

export async function changeBatch(
  companyId: string,
  verb: Verb,
  chosen: Chosen,
  onProgress: (done: number) => void,
): Promise<BatchResult> {
  const result: BatchResult = { done: 0, refused: [] };
  for (const body of bodiesOf(verb, chosen)) {
    let cursor: string | null | undefined;
    do {
      const answer = await send(companyId, verb, { ...body, ...(cursor && { cursor }) });
      if (!answer) return result;
      result.done += answer.done;
      result.refused.push(...answer.refused);
      onProgress(result.done);
      cursor = answer.nextCursor;
    } while (cursor);
  }
  return result;
}

type Body = Schemas['CancelRunsBody'] & Schemas['RetryRunsBody'];

async function send(companyId: string, verb: Verb, body: Body) {
  const options = { params: { path: { companyId } }, body };
  if (verb === 'cancel') {
    const answer = await unwrap(
      api.POST('/api/companies/{companyId}/heartbeat-runs/cancel', options),
    );
    return { ...answer, done: answer.cancelled.length };
  }
  const answer = await unwrap(api.POST('/api/companies/{companyId}/heartbeat-runs/retry', options));
  return { ...answer, done: answer.retried.length };
}

const CHANGEABLE: Record<Verb, readonly string[]> = {
  cancel: ['queued', 'running'],
  retry: ['failed', 'timed_out', 'cancelled'],
};

function bodiesOf(verb: Verb, chosen: Chosen): Body[] {
  if ('runIds' in chosen) {
    const { runIds } = chosen;
    const parts = Math.ceil(runIds.length / MOST_IDS);
    return Array.from({ length: parts }, (_, part) => ({
      runIds: runIds.slice(part * MOST_IDS, (part + 1) * MOST_IDS),
    }));
  }
  const { status, source, agentId, errorCode, createdAfter } = chosen.filter;
  const changeable = status.filter((each) => CHANGEABLE[verb].includes(each));
  if (status.length > 0 && changeable.length === 0) return [];
  const filter = {
    ...(changeable.length > 0 && { status: changeable }),
    ...(source.length > 0 && { source: [...source] }),
    ...(agentId && { agentId }),
    ...(errorCode && { errorCode: [errorCode] }),
    ...(createdAfter && { createdAfter }),
  };
  return [{ filter: filter as Body['filter'] & object }];
}

const MOST_IDS = 100;
