/** @throws Error with `text` when `work` has not ended after `deadlineMs`; the work itself goes on */
export async function within<T>(
  work: Promise<T>,
  deadlineMs: number,
  text = 'deadline',
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(text)), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
