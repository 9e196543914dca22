import { z } from 'zod';
import { id, longText, pageQuery, timestamp, title } from '../primitives';

export const GOAL_LEVELS = ['company', 'team', 'agent', 'task'] as const;
export const GOAL_STATUSES = ['planned', 'active', 'achieved', 'cancelled'] as const;

export type GoalLevel = (typeof GOAL_LEVELS)[number];

export const goalSummary = z.object({
  id,
  companyId: id,
  title: z.string(),
  level: z.enum(GOAL_LEVELS),
  status: z.enum(GOAL_STATUSES),
  parentId: id.nullable(),
  ownerAgentId: id.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const goal = goalSummary.extend({ description: z.string().nullable() });

const writable = {
  title,
  description: longText.nullable(),
  level: z.enum(GOAL_LEVELS),
  status: z.enum(GOAL_STATUSES),
  parentId: id.nullable(),
  ownerAgentId: id.nullable(),
};

export const createGoalBody = z.strictObject(writable).partial().required({ title: true });
export const updateGoalBody = z.strictObject(writable).partial();
export const listGoalsQuery = z.strictObject(pageQuery());

export type GoalSummaryView = z.infer<typeof goalSummary>;
export type GoalView = z.infer<typeof goal>;
export type CreateGoalBody = z.infer<typeof createGoalBody>;
export type UpdateGoalBody = z.infer<typeof updateGoalBody>;
