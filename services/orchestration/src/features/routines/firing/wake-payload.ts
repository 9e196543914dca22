/** An environment variable of a process holds 128 KiB; a list of wakes is answered whole. */
const MAX_WAKE_PAYLOAD_BYTES = 16_384;

/** What the agent is told of a payload: all of it, or where to read it. */
export function wakePayload(
  payload: unknown,
  run: { id: string; routineId: string },
): Record<string, unknown> {
  const about = { routineId: run.routineId, routineRunId: run.id };
  if (payload === null || payload === undefined) return about;
  const byteSize = Buffer.byteLength(JSON.stringify(payload));
  if (byteSize <= MAX_WAKE_PAYLOAD_BYTES) return payload as Record<string, unknown>;
  const readAt = `/api/routines/${run.routineId}/runs/${run.id}`;
  return { ...about, omitted: true, byteSize, readAt };
}
