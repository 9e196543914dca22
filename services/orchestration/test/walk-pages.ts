import type { Harness } from './harness';

export async function walkPages<Row>(
  harness: Pick<Harness, 'api'>,
  path: string,
  limit: number,
  between: (seen: number) => Promise<unknown> = async () => {},
): Promise<Row[]> {
  const seen: Row[] = [];
  let cursor: string | undefined;
  do {
    const after = cursor ? `&cursor=${cursor}` : '';
    const sign = path.includes('?') ? '&' : '?';
    const answer = await harness.api.get(`${path}${sign}limit=${limit}${after}`).expect(200);
    expect(answer.headers['x-limit']).toBe(String(limit));
    expect(answer.body.length).toBeLessThanOrEqual(limit);
    seen.push(...(answer.body as Row[]));
    cursor = answer.headers['x-next-cursor'];
    await between(seen.length);
  } while (cursor);
  return seen;
}
