import { z } from 'zod';
import { text } from '../primitives';

export const exportCompanyQuery = z.strictObject({
  include: z
    .enum(['issues'])
    .optional()
    .describe('`issues`: also the issues with their documents and comments'),
});

export const companyFile = z.strictObject({
  path: text(300).describe('Path in the folder, with `/`'),
  content: z.string().max(1_000_000),
});

export const importCompanyBody = z.strictObject({
  files: z.array(companyFile).min(1).max(20_000),
  plan: z.boolean().optional().describe('`true`: only report what would change'),
  activate: z
    .boolean()
    .optional()
    .describe('`true`: new agents and routines start immediately; otherwise they are paused'),
});

export const importReport = z.object({
  applied: z.boolean(),
  created: z.array(z.string()).describe('Paths of the files whose objects are new'),
  changed: z.array(
    z.object({
      path: z.string(),
      changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
    }),
  ),
  unchanged: z.int(),
  refused: z
    .array(z.object({ path: z.string(), field: z.string().nullable(), message: z.string() }))
    .describe('Files that the rules of the API refuse; an import with such a file changes nothing'),
});

export type ImportCompanyBody = z.infer<typeof importCompanyBody>;
export type ImportReport = z.infer<typeof importReport>;
export type CompanyFile = z.infer<typeof companyFile>;
export type ExportCompanyQuery = z.infer<typeof exportCompanyQuery>;
