import type { Schemas } from '../../data/api';

export type Endpoint = Schemas['Endpoint'];
export type Delivery = Schemas['Delivery'];

export const EVENTS = [
  'issue.updated',
  'comment.created',
  'run.started',
  'run.ended',
  'question.asked',
  'question.decided',
  'approval.requested',
  'approval.decided',
  'budget.near',
  'budget.spent',
  'agent.stopped',
] as const satisfies readonly Endpoint['events'][number][];

export const SHAPES = [
  'standard',
  'slack',
  'discord',
  'telegram',
] as const satisfies readonly Endpoint['shape'][];
