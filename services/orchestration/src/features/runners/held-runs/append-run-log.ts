import { ApiError } from '@switchyard/server';
import {
  type AppendedRunLogView,
  type AppendRunLogQuery,
  MAX_LOG_PART_BYTES,
} from '@switchyard/types';
import type { Request } from 'express';
import readStream from 'raw-body';
import { appendHeldLog } from '../../../state/runs/claims/held-log';
import { type RunnerCall, ticketOf } from '../runner-call';

/**
 * Stores masked output at its offset.
 * @throws ApiError 409 `stale_ticket`, 409 `conflict` with `logBytes`, 413
 */
export async function appendRunLog(
  call: RunnerCall & { request: Request },
  runId: string,
  { offset }: AppendRunLogQuery,
): Promise<AppendedRunLogView> {
  const ticket = ticketOf(call, runId);
  const content = await bytesOf(call.request);
  assertRoom(call, offset + content.length);
  return { logBytes: await appendHeldLog(call.db, ticket, { offset, content }) };
}

async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.get('content-length') ?? null;
  const bytes = await readStream(request, { limit: MAX_LOG_PART_BYTES, length });
  return new Uint8Array(bytes);
}

const NOTICE_BYTES = 1_024;

function assertRoom({ context }: RunnerCall, end: number): void {
  const { maxRunLogBytes } = context.config;
  if (end <= maxRunLogBytes + NOTICE_BYTES) return;
  const limit = maxRunLogBytes;
  throw new ApiError('too_large', `a log may have at most ${limit} bytes`, { limit });
}
