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

describe('patches of a found agent', () => {
  let client: QueryClient;
  beforeEach(() => {
    client = new QueryClient();
  });
  afterEach(() => client.clear());

  it.each([null, 'Staff Engineer'])('keep the found name of an agent titled %p', (title) => {
    client.setQueryData(FOUND, [ada]);
    writeRow(
      client,
      'agent-1',
      { id: 'agent-1', name: 'Ada', title, status: 'running' },
      jest.fn(),
    );
    expect(client.getQueryData(FOUND)).toEqual([ada]);
  });

  it('do not make a found agent the cached row of that agent', () => {
    client.setQueryData(FOUND, [ada]);
    expect(cachedRow(client, 'agent-1')).toBeUndefined();
  });

  it('keep the found name when the search was in flight', async () => {
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
