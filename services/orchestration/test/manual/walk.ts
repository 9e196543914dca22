import type { AgentDetailView, IssueView } from '@switchyard/types';
import type supertest from 'supertest';
import type { LiveRun } from '../builders';

/** One procedure; one that nobody here needs says why. */
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
  /** As the agent, from its run. */
  get: Send;
  post: Send;
  patch: Send;
  put: Send;
  /** Has what waits in the queues done. */
  work: () => Promise<void>;
  /** As the board. */
  board: supertest.Agent;
  /** What a step leaves for those after it. */
  left: Record<string, string>;
}
