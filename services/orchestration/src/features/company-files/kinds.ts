import { agents } from './kinds/agent-kind';
import { comments } from './kinds/comment-kind';
import { company } from './kinds/company-kind';
import { documents } from './kinds/document-kind';
import { goals } from './kinds/goal-kind';
import { issues } from './kinds/issue-kind';
import type { Kind } from './kinds/kind';
import { labels } from './kinds/label-kind';
import { projects } from './kinds/project-kind';
import { routines } from './kinds/routine-kind';

/** The kinds of files. A kind refers to itself and to earlier kinds, so an import uses this order. */
export const KINDS = {
  company,
  labels,
  agents,
  goals,
  projects,
  routines,
  issues,
  documents,
  comments,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

export const COMPANY_WIDE = [
  'company',
  'labels',
  'agents',
  'goals',
  'projects',
  'routines',
] as const;

export const OF_ISSUES = ['documents', 'comments'] as const;
