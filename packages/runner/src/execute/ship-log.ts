import { createSignal } from '@switchyard/async';
import { errorFields, type Logger } from '@switchyard/server/logger';
import { Refused } from '../protocol/request';
import { retryUntilAccepted } from '../protocol/retry-until-accepted';
import type { Claim, RunProtocol } from '../protocol/run-protocol';

export interface LogShipment {
  add(content: Buffer): void;
  backlog(): Promise<void> | null;
  end(): Promise<void>;
}

interface ShipmentOptions {
  protocol: Pick<RunProtocol, 'appendLog'>;
  logger: Logger;
  offset: number;
}

const FLUSH_AFTER_MS = 200;
const PART_BYTES = 65_536;
/** Limit of unsent bytes while the server is unreachable; beyond it the agent waits. */
const MAX_WAITING_BYTES = 1_048_576;
const FOREVER_MS = 2_147_483_647;

/**
 * Sends parts with their offsets until the server has stored them. The offset prevents a repeated
 * part from being stored twice.
 */
export function shipLog(
  { claim, isLost }: { claim: Claim; isLost: AbortSignal },
  options: ShipmentOptions,
): LogShipment {
  const { protocol, logger } = options;
  let { offset } = options;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isEnding = false;
  let isGivenUp = false;
  let room: { opened: Promise<void>; open(): void } | null = null;
  const some = createSignal();
  const enough = createSignal();

  const ship = async (): Promise<void> => {
    for (;;) {
      if (waitingBytes === 0) {
        if (isEnding) return;
        await some.wait(FOREVER_MS);
      } else {
        if (waitingBytes < PART_BYTES && !isEnding) await enough.wait(FLUSH_AFTER_MS);
        await send(take());
      }
    }
  };

  const take = (): Buffer => {
    const all = Buffer.concat(waiting);
    waiting = all.length > PART_BYTES ? [all.subarray(PART_BYTES)] : [];
    return all.subarray(0, PART_BYTES);
  };

  const send = async (part: Buffer): Promise<void> => {
    const append = () => protocol.appendLog(claim, offset, part);
    const stored = await retryUntilAccepted(append, isLost).catch((error: unknown) => {
      const known = storedAccordingTo(error);
      if (known === null) throw error;
      logger.warn('the server lost a part of the run’s log; later output follows the stored part');
      offset = known;
      return retryUntilAccepted(append, isLost);
    });
    offset = stored.logBytes;
    waitingBytes -= part.length;
    if (waitingBytes < MAX_WAITING_BYTES) openRoom();
  };

  const openRoom = (): void => {
    room?.open();
    room = null;
  };

  const shipped = ship().catch((error: unknown) => {
    if (!isLost.aborted)
      logger.error('the rest of the run’s log could not be stored', errorFields(error));
    isGivenUp = true;
    waiting = [];
    waitingBytes = 0;
    openRoom();
  });

  return {
    add: (content) => {
      if (isGivenUp) return;
      waiting.push(content);
      waitingBytes += content.length;
      some.notify();
      if (waitingBytes >= PART_BYTES) enough.notify();
    },
    backlog: () => {
      if (waitingBytes < MAX_WAITING_BYTES) return null;
      room ??= newRoom();
      return room.opened;
    },
    end: () => {
      isEnding = true;
      some.notify();
      enough.notify();
      return shipped;
    },
  };
}

/**
 * After a restore from a backup, the server may have less of the log. Its refusal then contains the
 * stored length.
 */
function storedAccordingTo(error: unknown): number | null {
  if (!(error instanceof Refused) || error.status !== 409) return null;
  const { logBytes } = (error.details ?? {}) as { logBytes?: unknown };
  return typeof logBytes === 'number' ? logBytes : null;
}

function newRoom() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
