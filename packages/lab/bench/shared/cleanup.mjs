export async function withCleanup(work) {
  const closing = [];
  try {
    return await work((close) => closing.push(close));
  } finally {
    for (const close of closing.reverse()) {
      await close().catch((error) => console.error(error));
    }
  }
}
