import { ApiError } from '@switchyard/server';

const GRID_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws ApiError 404 for an invalid id */
export function readGridId(given: unknown): string {
  const gridId = String(given).toLowerCase();
  if (!GRID_ID.test(gridId)) throw unknownGrid();
  return gridId;
}

export const unknownGrid = () => new ApiError('not_found', 'there is no grid with this id');
