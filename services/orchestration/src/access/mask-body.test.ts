import { createTextMask } from '@switchyard/runner/masking/output-masking';
import { z } from 'zod';
import { maskBody, withCredential } from './mask-body';

const mask = createTextMask(['s3cret-value', 'done']);

describe('maskBody', () => {
  const schema = z.strictObject({
    status: z.enum(['todo', 'done']).optional(),
    text: z.string().optional(),
    payload: z.record(z.string(), z.unknown()).optional(),
  });

  it('masks texts at any depth, but not enum fields', () => {
    const body = {
      status: 'done' as const,
      text: 'all done: s3cret-value',
      payload: { list: [1, null, 's3cret-value', { deep: 'czNjcmV0LXZhbHVl' }] },
    };
    expect(maskBody(schema, body, mask)).toEqual({
      status: 'done',
      text: 'all ***: ***',
      payload: { list: [1, null, '***', { deep: '***' }] },
    });
  });

  it('returns the same object if the object contains no secret', () => {
    const body = {
      status: 'todo' as const,
      payload: { list: [{ plain: 'text' }], at: new Date(0) },
    };
    expect(maskBody(schema, body, mask)).toBe(body);
    expect(maskBody(undefined, null, mask)).toBeNull();
    expect(maskBody(undefined, undefined, mask)).toBeUndefined();
  });

  it('masks the credential that the request itself sent', () => {
    const own = withCredential(null, 'the.run.token');
    expect(own?.('Bearer the.run.token, the.run.token')).toBe('Bearer ***, ***');
    expect(withCredential(mask, 'the.run.token')?.('done the.run.token')).toBe('*** ***');
    expect(withCredential(null, null)).toBeNull();
  });
});
