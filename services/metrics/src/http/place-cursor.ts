import { valueError } from './invalid-request';

export const writePlace = (at: Date, id: string): string =>
  Buffer.from(`${at.getTime()}:${id}`).toString('base64url');

export function readPlace(cursor: string | undefined): { at: number; id: string } | null {
  if (cursor === undefined) return null;
  const [, at, id] =
    /^(\d{1,15}):(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw valueError(
    ['query', 'cursor'],
    'the cursor must be one that this service returned',
    cursor,
  );
}
