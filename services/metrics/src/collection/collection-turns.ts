/** The deadline holds even when the database takes a connection and then says nothing. */
export function within<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(deadline.reason);
    if (deadline.aborted) return late();
    deadline.addEventListener('abort', late, { once: true });
    work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', late));
  });
}

/** Runs `work` once everything that came before is over or past its own deadline. */
export type TakeTurn = <T>(deadline: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** One collection at a time: more at once would only ask the exchange more often for the same. */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (deadline, work) => {
    const turn = last.then(() => {
      deadline.throwIfAborted();
      return within(work(), deadline);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}
