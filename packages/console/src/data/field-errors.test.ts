import { RefusedError } from '@switchyard/client';
import { fieldErrorsOf } from './field-errors';

describe('fieldErrorsOf', () => {
  it('returns each field that a 400 response names', () => {
    const details = [
      { path: ['adapterConfig', 'env', 'KEY'], message: 'must be a text' },
      { path: ['name'], message: 'must not be empty' },
    ];
    const error = new RefusedError(400, {
      error: 'wrong',
      code: 'validation_error',
      details,
    } as never);
    expect(fieldErrorsOf(error)).toEqual({
      env: 'KEY: must be a text',
      name: 'must not be empty',
    });
  });

  it('returns the field that an error response other than a 400 names', () => {
    const details = { field: 'adapterConfig.cwd' };
    const error = new RefusedError(422, { error: 'is not open to the company', details } as never);
    expect(fieldErrorsOf(error)).toEqual({ cwd: 'is not open to the company' });
  });

  it('returns no field if the error response names no field', () => {
    expect(fieldErrorsOf(new RefusedError(409, undefined))).toEqual({});
    expect(fieldErrorsOf(new Error('away'))).toEqual({});
    expect(fieldErrorsOf(undefined)).toEqual({});
  });
});
