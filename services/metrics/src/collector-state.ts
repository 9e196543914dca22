/** What this process knows of its own collections. */
export interface CollectorState {
  running: number;
  lastSuccessAt: Date | null;
  succeeded(at: Date): void;
}

export function createCollectorState(): CollectorState {
  const state: CollectorState = {
    running: 0,
    lastSuccessAt: null,
    succeeded: (at) => {
      state.lastSuccessAt = at;
    },
  };
  return state;
}
