import { queryOf, readFilters } from './use-run-filters';

describe('readFilters', () => {
  const query = (search: Parameters<typeof readFilters>[0]) =>
    queryOf(readFilters(search, 3_600_000));

  it('reads lists of values and a time range', () => {
    expect(query({ status: 'failed,timed_out', agent: 'a', since: 'hour' })).toEqual({
      status: ['failed', 'timed_out'],
      agentId: 'a',
      createdAfter: '1970-01-01T00:00:00.000Z',
    });
    expect(query({ status: '', since: '' })).toEqual({});
  });

  it.each([{ status: 'nonsense' }, { source: 'nonsense' }, { since: 'nonsense' }])(
    'includes %j in the query unchanged, because the service validates filters',
    (search) => {
      expect(JSON.stringify(query(search))).toContain('nonsense');
    },
  );
});
