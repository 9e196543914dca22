import { z } from 'zod';
import { id, longText, name, pageQuery, timestamp } from '../primitives';
import { createWorkspaceBody, workspace } from './workspaces';

export const PROJECT_STATUSES = [
  'backlog',
  'planned',
  'in_progress',
  'completed',
  'cancelled',
] as const;

export const projectSummary = z.object({
  id,
  companyId: id,
  name: z.string(),
  goalIds: z.array(id),
  status: z.enum(PROJECT_STATUSES),
  leadAgentId: id.nullable(),
  targetDate: z.iso.date().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const projectDetail = projectSummary.extend({
  description: z.string().nullable(),
  workspaces: z.array(workspace),
});

const distinct = (ids: string[]) => new Set(ids.map((each) => each.toLowerCase())).size;

const writable = {
  name,
  description: longText.nullable(),
  goalIds: z
    .array(id)
    .max(100)
    .refine((ids) => distinct(ids) === ids.length, 'must not contain a goal twice'),
  status: z.enum(PROJECT_STATUSES),
  leadAgentId: id.nullable(),
  targetDate: z.iso
    .date()
    .refine((date) => !date.startsWith('0000'), 'must be a date in the years 1 to 9999')
    .nullable(),
};

export const createProjectBody = z
  .strictObject({ ...writable, workspace: createWorkspaceBody })
  .partial()
  .required({ name: true });
export const updateProjectBody = z.strictObject(writable).partial();
export const listProjectsQuery = z.strictObject(pageQuery());

export type ProjectSummaryView = z.infer<typeof projectSummary>;
export type ProjectDetailView = z.infer<typeof projectDetail>;
export type CreateProjectBody = z.infer<typeof createProjectBody>;
export type UpdateProjectBody = z.infer<typeof updateProjectBody>;
