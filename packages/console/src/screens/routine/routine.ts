import type { Schemas } from '../../data/api';

export type Routine = Schemas['Routine'];

export type Trigger = Routine['triggers'][number];

export interface ShownSecret {
  secret: string;
  fireUrl: string;
  signingMode: string;
}
