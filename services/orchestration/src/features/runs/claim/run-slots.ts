import { mayTake } from '../../../fair-share';

/** The places for runs of one worker, and who has them. All of it is synchronous: what it decides holds. */
export interface RunSlots {
  /** A place for a run of a company, which it leaves when told; null when the company may have none now. */
  take(run: { id: string; companyId: string }): (() => void) | null;
  /** The companies that may have no further place now. */
  full(): string[];
  /** The runs that have a place. */
  runIds(): string[];
  isClosed(): boolean;
  /** Whether there is a place at all. */
  hasRoom(): boolean;
  /** Gives no further place. */
  close(): void;
}

/**
 * Each company has a fair share of the places (`mayTake`), so that the longest runs of one, or of a few,
 * leave a place for a company that has none here. As every worker keeps to that with its own places, it
 * holds for all of them together, with no worker knowing another. A worker with a single place has none
 * to keep free: there only a limit of the company's runs everywhere helps (`claimRun`). `taken` are runs that it has already.
 */
export function createRunSlots(
  capacity: number,
  taken: readonly { id: string; companyId: string }[] = [],
): RunSlots {
  const held = new Map<string, number>();
  const runs = new Set<string>();
  let closed = false;
  const hold = ({ id, companyId }: { id: string; companyId: string }) => {
    runs.add(id);
    held.set(companyId, (held.get(companyId) ?? 0) + 1);
  };
  for (const run of taken) hold(run);

  const mayHave = (companyId: string) =>
    !closed && mayTake(held.get(companyId) ?? 0, capacity - runs.size, capacity);

  return {
    take: ({ id, companyId }) => {
      if (runs.has(id) || !mayHave(companyId)) return null;
      hold({ id, companyId });
      return () => {
        if (!runs.delete(id)) return;
        const rest = (held.get(companyId) ?? 1) - 1;
        if (rest > 0) held.set(companyId, rest);
        else held.delete(companyId);
      };
    },
    full: () => [...held.keys()].filter((companyId) => !mayHave(companyId)),
    runIds: () => [...runs],
    isClosed: () => closed,
    hasRoom: () => !closed && runs.size < capacity,
    close: () => {
      closed = true;
    },
  };
}
