import { ApiError } from '@switchyard/server';

const GRID_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function assertGridId(gridId: string): void {
  if (!GRID_ID.test(gridId)) throw unknownGrid();
}

export const unknownGrid = () => new ApiError('not_found', 'there is no grid with this id');
