/**
 * What `work` gives, unless the deadline is sooner: it holds even when the database takes a connection and then
 * says nothing. The work itself goes on.
 * @throws the reason of the deadline
 */
export function untilAborted<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(deadline.reason);
    if (deadline.aborted) return late();
    deadline.addEventListener('abort', late, { once: true });
    work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', late));
  });
}
