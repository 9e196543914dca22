import type { WakeReason } from '@switchyard/types';

/** The wakes of a run with those that join it, oldest first: a retry brings older ones than those that wait. */
export function joinReasons(known: WakeReason[], added: WakeReason[]): WakeReason[] {
  return [...known, ...fitting(known, added)].sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at),
  );
}

/** A waiting run carries so many bytes of payloads; of what comes after it keeps how large it was. */
const MAX_PAYLOAD_BYTES = 65_536;

function fitting(known: WakeReason[], added: WakeReason[]): WakeReason[] {
  let room = MAX_PAYLOAD_BYTES;
  for (const { payload } of known) room -= bytesOf(payload);
  return added.map((wake) => {
    const bytes = bytesOf(wake.payload);
    if (bytes > room) return { ...wake, payload: omitted(wake) };
    room -= bytes;
    return wake;
  });
}

/** What must not be lost of a payload: which decision it was of. */
function omitted({ source, payload }: WakeReason): WakeReason['payload'] {
  const about = source === 'approval' ? { approvalId: payload?.approvalId } : {};
  return { ...about, omitted: true, byteSize: bytesOf(payload) };
}

const bytesOf = (payload: WakeReason['payload']): number =>
  payload === null ? 0 : Buffer.byteLength(JSON.stringify(payload));
