import type { Schemas } from '../../data/api';

export type Goal = Schemas['ListedGoal'];
