import { ERROR_CODES } from '@switchyard/types';
import { z } from 'zod';
import { ERROR_STATUS, errorResponse, refusalFrom } from './error-response';
import { conflict, invalidField, parse, unauthenticated, unavailable } from './errors';
import { isPassingFault } from './passing-fault';

describe('errorResponse', () => {
  it('has a status of at least 400 for every error code', () => {
    expect(Object.keys(ERROR_STATUS).sort()).toEqual([...ERROR_CODES].sort());
    for (const status of Object.values(ERROR_STATUS)) expect(status).toBeGreaterThanOrEqual(400);
  });

  it('contains the message and the headers of a refusal', () => {
    expect(errorResponse(conflict('checked_out', 'held', { retry: false }), 'r-1')).toEqual({
      status: 409,
      headers: {},
      body: { error: 'held', code: 'checked_out', details: { retry: false }, requestId: 'r-1' },
    });
    expect(errorResponse(unauthenticated('no'), 'r').headers).toEqual({
      'WWW-Authenticate': 'Bearer',
    });
    expect(errorResponse(unavailable('later'), 'r')).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
    });
    expect(errorResponse(conflict('conflict', 'x'), 'r').body).not.toHaveProperty('details');
  });

  it('hides the message of an unexpected error', () => {
    for (const thrown of [
      new Error('hunter2'),
      'hunter2',
      null,
      undefined,
      { secret: 'hunter2' },
    ]) {
      const answer = errorResponse(thrown, 'r');
      expect(answer.status).toBe(500);
      expect(JSON.stringify(answer)).not.toContain('hunter2');
    }
  });

  it.each([
    [{ type: 'entity.too.large', limit: 5, status: 413 }, 'too_large'],
    [{ type: 'request.aborted', status: 400 }, 'validation_error'],
    [{ type: 'request.size.invalid', status: 400 }, 'validation_error'],
    [new URIError('bad'), 'not_found'],
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'unavailable'],
    [Object.assign(new Error('x'), { cause: { originalCode: '40P01' } }), 'unavailable'],
    [{ meta: { driverAdapterError: { cause: { originalCode: '57P01' } } } }, 'unavailable'],
    [Object.assign(new Error('x'), { cause: { code: '53100' } }), 'unavailable'],
    [new Error('Query read timeout'), 'unavailable'],
    [new Error('timeout exceeded when trying to connect'), 'unavailable'],
    [Object.assign(new Error('x'), { code: '23505' }), 'internal_error'],
    [{ status: 503 }, 'internal_error'],
  ])('given %p, returns the code %s', (thrown, code) => {
    expect(refusalFrom(thrown).code).toBe(code);
  });

  it('terminates for an error that is its own cause', () => {
    const error = new Error('x') as Error & { cause: unknown };
    error.cause = error;
    expect(isPassingFault(error)).toBe(false);
  });
});

describe('parse', () => {
  const schema = z.strictObject({ a: z.strictObject({ b: z.array(z.int()) }) });
  const problemsOf = (value: unknown) => {
    try {
      parse(schema, value);
    } catch (error) {
      return (error as { details: { path: unknown[]; message: string }[] }).details;
    }
    return [];
  };

  it('names the path of every invalid field and every unknown field', () => {
    expect(problemsOf({ a: { b: [1, 'x'], c: 1, d: 2 }, e: 3 }).map(({ path }) => path)).toEqual([
      ['a', 'b', 1],
      ['a', 'c'],
      ['a', 'd'],
      ['e'],
    ]);
    expect(problemsOf({})[0]?.path).toEqual(['a']);
    expect(problemsOf(null)[0]?.path).toEqual([]);
  });

  it('repeats only a limited part of the input in its messages', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`${'k'.repeat(500)}${at}`, 1]),
    );
    expect(JSON.stringify(problemsOf({ a: { b: [] }, ...many })).length).toBeLessThan(10_000);
    const wrong = Array.from({ length: 100_000 }, () => 'x');
    expect(JSON.stringify(problemsOf({ a: { b: wrong } })).length).toBeLessThan(50_000);
  });

  it('starts the message of an invalid field with its path', () => {
    expect(invalidField(['a', 0], 'is wrong').message).toBe('a.0: is wrong');
  });
});
