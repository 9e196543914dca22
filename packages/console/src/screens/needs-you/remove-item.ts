import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { replaceAnswer } from '../../data/live/patch';

export function removeItem(client: QueryClient, key: QueryKey, id: string): () => void {
  const items = client.getQueryData<{ id: string }[]>(key);
  const rest = items?.filter((item) => item.id !== id);
  return rest ? replaceAnswer(client, key, rest) : () => undefined;
}
