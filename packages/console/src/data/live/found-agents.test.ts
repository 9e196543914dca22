import { QueryClient } from '@tanstack/react-query';
import type { Found } from '../find';
import { cachedRow, writeRow } from './patch';

const FOUND = ['search', 'company-1', 'ada', undefined, 8];
const ada: Found = {
  type: 'agent',
  id: 'agent-1',
  title: 'Ada',
  titleHits: [[0, 3]],
  snippet: 'engineer',
  snippetHits: [],
  issueId: null,
  identifier: null,
  issueStatus: null,
  documentKey: null,
  at: '2026-01-01T00:00:00.000Z',
};

describe('live changes of an agent in a search result', () => {
  let client: QueryClient;
  beforeEach(() => {
    client = new QueryClient();
  });
  afterEach(() => client.clear());

  it.each([null, 'Staff Engineer'])(
    'do not replace the name in the result if the agent has the title %p',
    (title) => {
      client.setQueryData(FOUND, [ada]);
      writeRow(
        client,
        'agent-1',
        { id: 'agent-1', name: 'Ada', title, status: 'running' },
        jest.fn(),
      );
      expect(client.getQueryData(FOUND)).toEqual([ada]);
    },
  );

  it('do not treat the search result as the cached row of the agent', () => {
    client.setQueryData(FOUND, [ada]);
    expect(cachedRow(client, 'agent-1')).toBeUndefined();
  });

  it('do not replace the name in a result that arrives after the change', async () => {
    const onMoved = jest.fn();
    let answer: (found: Found[]) => void = () => undefined;
    const found = client.fetchQuery({
      queryKey: FOUND,
      queryFn: () =>
        new Promise<Found[]>((resolve) => {
          answer = resolve;
        }),
    });
    writeRow(
      client,
      'agent-1',
      { id: 'agent-1', name: 'Ada', title: null, status: 'idle' },
      onMoved,
    );
    answer([ada]);
    await found;
    expect(client.getQueryData(FOUND)).toEqual([ada]);
    expect(onMoved).not.toHaveBeenCalled();
  });
});
