export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const first: Item[] = [];
  if (count === 0) return first;
  for await (const item of items) {
    first.push(item);
    if (first.length === count) break;
  }
  return first;
}
