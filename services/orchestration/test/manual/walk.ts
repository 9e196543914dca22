import type { AgentDetailView, IssueView } from '@switchyard/types';
import type supertest from 'supertest';
import type { LiveRun } from '../builders';

export type Step =
  | { title: string; walk: (walk: Walk) => Promise<unknown> }
  | { title: string; notNeeded: string };

type Send = (path: string, body?: object) => supertest.Test;

export interface Walk {
  companyId: string;
  me: AgentDetailView;
  run: LiveRun;
  boss: AgentDetailView;
  colleague: AgentDetailView;
  issue: IssueView;
  get: Send;
  post: Send;
  patch: Send;
  put: Send;
  work: () => Promise<void>;
  board: supertest.Agent;
  left: Record<string, string>;
}
