import { runnerLabels } from '@switchyard/types';
import { z } from 'zod';
import { agentEnvironment } from '../environment/agent-environment';

const withoutNul = (text: string) => !text.includes('\0');

const ARGUMENT = z.string().max(32_768).refine(withoutNul, 'must not contain NUL characters');

export const processConfig = z.strictObject({
  command: z.string().min(1).max(4096).refine(withoutNul, 'must not contain NUL characters'),
  args: z.array(ARGUMENT).max(256).default([]),
  cwd: z.string().min(1).max(4096).refine(withoutNul, 'must not contain NUL characters').optional(),
  env: agentEnvironment.optional(),
  runnerLabels: runnerLabels.optional(),
  timeoutSec: z.number().min(1).max(86_400).default(3600),
  graceSec: z.number().min(0).max(300).default(10),
  silenceSec: z.number().min(1).max(86_400).default(900),
});

export type ProcessConfig = z.infer<typeof processConfig>;
