import type { Firing } from '../../../state/routines/record-firing';

/** Wake lists contain payloads and must fit into an environment variable of 128 KiB. */
const MAX_WAKE_PAYLOAD_BYTES = 16_384;

/**
 * Returns the payload, or where to read it if it is too large. Adds the sender's delivery data as
 * `_delivery`.
 */
export function wakePayload(
  { payload, delivery }: Pick<Firing, 'payload' | 'delivery'>,
  run: { id: string; routineId: string },
): Record<string, unknown> {
  const sender = delivery ? { _delivery: delivery } : {};
  const about = { routineId: run.routineId, routineRunId: run.id, ...sender };
  if (payload === null) return about;
  const byteSize = Buffer.byteLength(JSON.stringify(payload));
  if (byteSize <= MAX_WAKE_PAYLOAD_BYTES) return { ...payload, ...sender };
  const readAt = `/api/routines/${run.routineId}/runs/${run.id}`;
  return { ...about, omitted: true, byteSize, readAt };
}
