import { plainWords, UNKNOWN_FIELD } from '@switchyard/types/plain-words';
import { z } from 'zod';

export interface FieldProblem {
  path: (string | number)[];
  message: string;
  code: string;
}

export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { data: z.output<Schema> } | { problems: FieldProblem[] } {
  const parsed = schema.safeParse(value, { error: plainWords });
  if (parsed.success) return { data: parsed.data };
  return { problems: problemsOf(parsed.error.issues, []).slice(0, MAX_PROBLEMS) };
}

const MAX_PROBLEMS = 50;
const MAX_KEY = 100;

type Path = FieldProblem['path'];

const shownPart = (part: PropertyKey) =>
  typeof part === 'number' ? part : String(part).slice(0, MAX_KEY);

function problemsOf(issues: readonly z.core.$ZodIssue[], within: Path): FieldProblem[] {
  return issues.slice(0, MAX_PROBLEMS).flatMap((issue): FieldProblem[] => {
    const { code, message } = issue;
    const path = [...within, ...issue.path.map(shownPart)];
    if (code === 'unrecognized_keys') {
      return issue.keys
        .slice(0, MAX_PROBLEMS)
        .map((key) => ({ path: [...path, shownPart(key)], message: UNKNOWN_FIELD, code }));
    }
    if (code === 'invalid_key')
      return [{ path, message: issue.issues[0]?.message ?? message, code }];
    if (code !== 'invalid_union') return [{ path, message, code }];
    const meant = branchMeant(issue.errors);
    return meant ? problemsOf(meant, path) : [{ path, message, code }];
  });
}

function branchMeant(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | null {
  const fitting = branches.filter((issues) => !issues.some(isOtherForm));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

function isOtherForm(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_type') return issue.path.length === 0;
  return issue.code === 'invalid_value' && issue.values.length === 1 && issue.path.length <= 1;
}

export function knownNames(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
