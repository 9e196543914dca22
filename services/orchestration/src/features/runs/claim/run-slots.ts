import { partOf } from '../../../kernel/context';
import { mayTake } from '../../../kernel/fair-share';

/** All methods are synchronous, so that slots do not change between a check and its decision. */
export interface RunSlots {
  take(run: { id: string; companyId: string }): (() => void) | null;
  full(): string[];
  runIds(): string[];
  isClosed(): boolean;
  hasRoom(): boolean;
  close(): void;
}

export const serving = partOf<{ slots: RunSlots | null }>(() => ({ slots: null }));

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
