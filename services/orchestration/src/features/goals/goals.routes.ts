import {
  createGoalBody,
  goal,
  listedGoal,
  listGoalsQuery,
  updateGoalBody,
} from '@switchyard/types';
import { z } from 'zod';
import { route } from '../../route';
import { createGoal } from './create-goal';
import { getGoal, listGoals } from './goals';
import { updateGoal } from './update-goal';

export const goalRoutes = [
  route({
    method: 'GET',
    path: '/api/companies/:companyId/goals',
    operation: 'listGoals',
    summary: 'List the goals of a company',
    access: 'agent-or-board',
    query: listGoalsQuery,
    response: z.array(listedGoal),
    handle: (call) => listGoals(call, call.query),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/goals',
    operation: 'createGoal',
    summary: 'Create a goal',
    errors: ['semantic_error', 'cycle', 'storage_full'],
    access: 'agent-or-board',
    body: createGoalBody,
    response: goal,
    handle: (call) => createGoal(call, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/goals/:goalId',
    operation: 'getGoal',
    summary: 'Read a goal',
    access: 'agent-or-board',
    response: goal,
    handle: (call) => getGoal(call, call.params.goalId),
  }),
  route({
    method: 'PATCH',
    path: '/api/goals/:goalId',
    operation: 'updateGoal',
    summary: 'Change a goal',
    errors: ['semantic_error', 'cycle', 'storage_full'],
    access: 'agent-or-board',
    body: updateGoalBody,
    response: goal,
    handle: (call) => updateGoal(call, call.params.goalId, call.body),
  }),
];
