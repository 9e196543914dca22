import { QueryClient } from '@tanstack/react-query';
import { removeItem } from './remove-item';

const KEY = ['inbox'];
const [one, other, third] = [{ id: 'one' }, { id: 'other' }, { id: 'third' }];

function clientWith(...items: { id: string }[]): QueryClient {
  const client = new QueryClient();
  client.setQueryData(KEY, items);
  return client;
}

it('removeItem can restore the item at its previous position', () => {
  const client = clientWith(one, other);
  const putBack = removeItem(client, KEY, 'one');
  expect(client.getQueryData(KEY)).toEqual([other]);
  putBack();
  expect(client.getQueryData(KEY)).toEqual([one, other]);
});

it('removeItem marks the list as stale instead of restoring the item if other items were removed', () => {
  const client = clientWith(one, other, third);
  const putBack = removeItem(client, KEY, 'one');
  removeItem(client, KEY, 'other');
  putBack();
  expect(client.getQueryData(KEY)).toEqual([third]);
  expect(client.getQueryState(KEY)?.isInvalidated).toBe(true);
});
