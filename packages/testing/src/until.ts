/**
 * Polls until `probe` returns something truthy, and returns it. The deadline is far above what a loaded machine needs. @throws Error after the
 * deadline, which names `what`
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
