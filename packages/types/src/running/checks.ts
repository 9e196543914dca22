import { z } from 'zod';
import { id } from '../primitives';

export const FINDING_LEVELS = ['ok', 'warning', 'error'] as const;

export const finding = z.object({
  level: z.enum(FINDING_LEVELS),
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});

export const checkAgentBody = z.strictObject({});

export const checkWorkspaceBody = z.strictObject({
  agentId: id
    .optional()
    .describe(
      "A runner that can execute this agent's runs performs the test; default: the project's lead, or else the oldest agent that runs on a runner",
    ),
});

export type CheckWorkspaceBody = z.infer<typeof checkWorkspaceBody>;
export type Finding = z.infer<typeof finding>;
