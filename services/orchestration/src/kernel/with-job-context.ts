import { type Origin, tracing, withLogContext } from '@switchyard/server';
import type { QueueName } from '@switchyard/types';

export function withJobContext<T>(
  queue: QueueName,
  row: Partial<Origin> & { id: string; companyId: string },
  work: () => Promise<T>,
): Promise<T> {
  const { id, companyId, correlationId, traceContext } = row;
  const attributes = {
    'messaging.system': 'bullmq',
    'messaging.destination.name': queue,
    'switchyard.row_id': id,
    'switchyard.company_id': companyId,
  };
  const span = { name: `${queue} process`, kind: 'job', parent: traceContext, attributes } as const;
  return withLogContext({ correlationId: correlationId ?? id, companyId }, () =>
    tracing().inSpan(span, work),
  );
}
