import type { OrchestrationClient } from './create-client';
import type { paths } from './generated/orchestration';
import { unwrap } from './unwrap';

type JsonOf<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type ListPath = {
  [Path in keyof paths]: paths[Path] extends {
    get: { parameters: { query?: { cursor?: string } } };
  }
    ? JsonOf<paths[Path]['get']> extends readonly unknown[]
      ? Path
      : never
    : never;
}[keyof paths];

type ListOf<Path extends ListPath> = paths[Path]['get'];

export type ListItem<Path extends ListPath> =
  JsonOf<ListOf<Path>> extends readonly (infer Item)[] ? Item : never;

export interface ListSettings<Path extends ListPath> {
  params: Omit<ListOf<Path>['parameters'], 'cookie'>;
  signal?: AbortSignal;
}

export async function* listAll<Path extends ListPath>(
  client: OrchestrationClient,
  path: Path,
  { params, signal }: ListSettings<Path>,
): AsyncGenerator<ListItem<Path>, void, undefined> {
  let cursor: string | null | undefined;
  do {
    const query = { ...params.query, ...(cursor && { cursor }) };
    const init: Record<string, unknown> = {
      params: { ...params, query },
      ...(signal && { signal }),
    };
    const asked = client.GET(path as '/api/companies', init);
    yield* (await unwrap(asked)) as unknown as ListItem<Path>[];
    cursor = (await asked).response.headers.get('x-next-cursor');
  } while (cursor);
}
