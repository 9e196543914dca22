import { z } from 'zod';
import { id, pageQuery, text, timestamp } from './primitives';

export const ACTOR_TYPES = ['agent', 'user', 'system', 'webhook'] as const;

export const activity = z.object({
  id,
  companyId: id,
  actorType: z.enum(ACTOR_TYPES),
  actorId: z.string().nullable(),
  runId: id.nullable(),
  action: z.string(),
  entityType: z.string(),
  entityId: z.string(),
  details: z.record(z.string(), z.unknown()),
  createdAt: timestamp,
});

const word = text(100);

export const listActivityQuery = z.strictObject({
  ...pageQuery(),
  entityType: word.optional(),
  entityId: word.optional(),
  actorId: word.optional(),
  action: word.optional(),
});

export type ActivityView = z.infer<typeof activity>;
export type ActorType = (typeof ACTOR_TYPES)[number];
export type ListActivityQuery = z.infer<typeof listActivityQuery>;
