import { correlationIdFrom, logContext, withLogContext } from './correlation';

const from = (headers: Record<string, string>) => correlationIdFrom((name) => headers[name]);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('the correlation id', () => {
  it('comes from X-Correlation-ID, or else from X-Request-ID', () => {
    expect(from({ 'x-correlation-id': 'a.b_c-1', 'x-request-id': 'other' })).toBe('a.b_c-1');
    expect(from({ 'x-request-id': 'other' })).toBe('other');
    expect(from({ 'x-correlation-id': 'x'.repeat(128) })).toHaveLength(128);
  });

  it('comes from the trace id of a traceparent', () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    expect(from({ traceparent: `00-${trace}-b7ad6b7169203331-01` })).toBe(trace);
    expect(from({ traceparent: `00-${trace}` })).toMatch(UUID);
  });

  it.each(['', 'a b', 'a\nb', 'ü', '<x>', 'x'.repeat(129), '"'])(
    'does not come from the invalid value "%s"',
    (bad) => {
      expect(from({ 'x-correlation-id': bad })).toMatch(UUID);
      expect(from({ 'x-correlation-id': bad, 'x-request-id': 'good' })).toBe('good');
    },
  );

  it('stays with its request across awaits', async () => {
    const seen = async (correlationId: string) =>
      withLogContext({ correlationId }, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return logContext()?.correlationId;
      });
    expect(await Promise.all(['a', 'b', 'c'].map(seen))).toEqual(['a', 'b', 'c']);
    expect(logContext()).toBeUndefined();
  });
});
