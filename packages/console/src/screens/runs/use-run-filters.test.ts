import { queryOf, readFilters } from './use-run-filters';

describe('readFilters', () => {
  const query = (search: Parameters<typeof readFilters>[0]) =>
    queryOf(readFilters(search, 3_600_000));

  it('reads lists and a span of time', () => {
    expect(query({ status: 'failed,timed_out', agent: 'a', since: 'hour' })).toEqual({
      status: ['failed', 'timed_out'],
      agentId: 'a',
      createdAfter: '1970-01-01T00:00:00.000Z',
    });
    expect(query({ status: '', since: '' })).toEqual({});
  });

  it.each([{ status: 'nonsense' }, { source: 'nonsense' }, { since: 'nonsense' }])(
    'hands on what it cannot read in %j, which the service refuses',
    (search) => {
      expect(JSON.stringify(query(search))).toContain('nonsense');
    },
  );
});
