import { faultOf, fuzz } from './fuzzing';

fuzz({ numRuns: 4, seed: 1 });

describe('a random request', () => {
  it('would notice a fault', () => {
    const headers = { 'x-correlation-id': 'c' };
    const body = { error: 'x', code: 'not_found', requestId: 'c' };
    expect(faultOf({ status: 404, headers, body })).toBeNull();
    expect(faultOf({ status: 500, headers, body })).not.toBeNull();
    expect(faultOf({ status: 404, headers, body: '<html>' })).not.toBeNull();
    expect(faultOf({ status: 404, headers: {}, body })).not.toBeNull();
    expect(faultOf({ status: 404, headers, body: { ...body, code: 'other' } })).not.toBeNull();
  });
});
