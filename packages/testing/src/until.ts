/**
 * Polls until `probe` returns a truthy value, and returns it. The deadline allows for a heavily
 * loaded machine.
 * @throws Error naming `what` after the deadline
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T> | T,
  deadlineMs = 180_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const found = await probe();
    if (found) return found as NonNullable<T>;
    if (Date.now() > end) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
