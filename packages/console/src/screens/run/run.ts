import type { Schemas } from '../../data/api';

export type Run = Schemas['HeartbeatRunDetail'];
