import { runnerLabels } from '@switchyard/types';
import { z } from 'zod';
import { isModelId } from '../../models/read-models';
import { agentEnvironment } from '../environment/agent-environment';
import { findUnknownPlaceholders, PLACEHOLDER_NAMES } from './prompt/fill-template';

const withoutNul = (text: string) => !text.includes('\0');
const plain = (max: number) =>
  z
    .string()
    .max(max)
    .refine(withoutNul, { message: 'must not contain NUL characters', abort: true });

const promptTemplate = plain(100_000)
  .min(1)
  .superRefine((template, context) => {
    for (const name of findUnknownPlaceholders(template)) {
      context.addIssue({
        code: 'custom',
        message: `unknown placeholder {{${name}}}; use one of ${PLACEHOLDER_NAMES.join(', ')}`,
      });
    }
  });

export const codingAgentConfig = z.strictObject({
  model: z.string().refine(isModelId, 'must be the id of a model').optional(),
  cwd: plain(4_096).min(1).optional(),
  promptTemplate: promptTemplate.optional(),
  env: agentEnvironment.optional(),
  runnerLabels: runnerLabels.optional(),
  extraArgs: z.array(plain(32_768)).max(64).default([]),
  timeoutSec: z.number().min(1).max(86_400).default(3_600),
  graceSec: z.number().min(0).max(300).default(10),
});

const CODEX_SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'] as const;

export type CodexSandbox = (typeof CODEX_SANDBOXES)[number];

export const codexConfig = z
  .strictObject({
    ...codingAgentConfig.shape,
    /** If absent: `danger-full-access` inside the runner's sandbox, otherwise `workspace-write`. */
    sandbox: z.enum(CODEX_SANDBOXES).optional(),
  })
  .superRefine(({ sandbox, extraArgs }, context) => {
    const named = sandbox === undefined ? undefined : findSandboxArgument(extraArgs);
    if (named === undefined) return;
    const message = `must not contain ${named} if \`sandbox\` is set, because both set the sandbox`;
    context.addIssue({ code: 'custom', path: ['extraArgs'], message });
  });

export type CodingAgentConfig = z.infer<typeof codingAgentConfig> & { sandbox?: CodexSandbox };

const SANDBOX_ARGUMENT =
  /^(-s|--sandbox|--full-auto|--yolo|--dangerously-bypass-approvals-and-sandbox)(=|$)|^-s(?=[a-z])|^(-c|--config)=?\s*sandbox_mode\b/;

export function findSandboxArgument(extraArgs: readonly string[]): string | undefined {
  return extraArgs.find((argument, at) => {
    const isValue = at > 0 && ['-c', '--config'].includes(extraArgs[at - 1] as string);
    return SANDBOX_ARGUMENT.test(argument) || (isValue && /^\s*sandbox_mode\b/.test(argument));
  });
}
