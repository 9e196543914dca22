import type { Schemas } from '../../data/api';

export type Routine = Schemas['Routine'];

export type Trigger = Routine['triggers'][number];

/** What a sender of a webhook needs, as the service says it once. */
export interface ShownSecret {
  secret: string;
  fireUrl: string;
  signingMode: string;
}
