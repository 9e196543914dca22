/**
 * Polls until `probe` answers something truthy and answers that. The deadline is there to name what
 * never came, not to measure.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T> | T,
  deadlineMs = 60_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const found = await probe();
    if (found) return found as NonNullable<T>;
    if (Date.now() > end) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
