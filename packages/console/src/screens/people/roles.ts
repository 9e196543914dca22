import type { Schemas } from '../../data/api';

export type Role = Schemas['Member']['role'];

export const ROLES: Role[] = ['owner', 'operator', 'viewer'];
