import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal';

export interface HeldBody {
  bytes: Buffer;
  release(): void;
}

/** Anthropic's limit (platform.claude.com/docs/en/api/overview, "Request size limits"). */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** For all concurrent requests of one run; limits the runner's memory. */
const MAX_HELD_BYTES = 48 * 1024 * 1024;

export function bodyHolder(): (request: IncomingMessage) => Promise<HeldBody> {
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
        if (own > MAX_BODY_BYTES) {
          throw new Refusal(413, `a model request must not exceed ${MAX_BODY_BYTES} bytes`);
        }
        if (held > MAX_HELD_BYTES) {
          throw new Refusal(
            429,
            `the model requests that this run is sending must not exceed ${MAX_HELD_BYTES} bytes in total: try again when one has been sent`,
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
