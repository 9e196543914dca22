import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal';

export interface HeldBody {
  bytes: Buffer;
  release(): void;
}

interface BodyLimits {
  what: string;
  maxBytes: number;
  /** Total for the concurrent requests of one run; limits the runner's memory. */
  maxHeldBytes: number;
}

export function bodyHolder({
  what,
  maxBytes,
  maxHeldBytes,
}: BodyLimits): (request: IncomingMessage) => Promise<HeldBody> {
  let held = 0;
  return async (request) => {
    let own = 0;
    const release = () => {
      held -= own;
      own = 0;
    };
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        own += chunk.length;
        held += chunk.length;
        if (own > maxBytes) {
          throw new Refusal(413, `${what} must not exceed ${maxBytes} bytes`);
        }
        if (held > maxHeldBytes) {
          throw new Refusal(
            429,
            `this run’s concurrent requests of this kind must not exceed ${maxHeldBytes} bytes in total: try again when one has been sent`,
          );
        }
        chunks.push(chunk);
      }
    } catch (error) {
      release();
      throw error;
    }
    return { bytes: Buffer.concat(chunks), release };
  };
}
