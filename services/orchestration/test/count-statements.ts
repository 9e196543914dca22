import type { Harness } from './harness';

/** Counts all statements of a request, with those that begin and end its transaction. */
export async function statementsOf(harness: Harness, request: () => Promise<unknown>) {
  const client = await harness.context.db.pool.connect();
  const query = jest.spyOn(Object.getPrototypeOf(client), 'query');
  client.release();
  try {
    await request();
    return query.mock.calls.map(([first]) => {
      const { name, text } = first as { name?: string; text?: string };
      return name ?? text ?? String(first);
    });
  } finally {
    query.mockRestore();
  }
}
