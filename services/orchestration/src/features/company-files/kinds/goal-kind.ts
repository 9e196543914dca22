import { createGoalBody, updateGoalBody } from '@switchyard/types';
import { createGoal } from '../../goals/create-goal';
import { updateGoal } from '../../goals/update-goal';
import { SLUG } from '../slug-of';
import { defineKind, OLDEST_FIRST } from './kind';

export const goals = defineKind({
  folder: 'goals/',
  slug: SLUG,
  named: 'title',
  fields: {
    title: null,
    level: null,
    status: null,
    parent: { to: 'goals', as: 'parentId' },
    owner: { to: 'agents', as: 'ownerAgentId' },
  },
  text: 'description',
  creates: createGoalBody,
  updates: updateGoalBody,
  read: ({ db, companyId }, page) =>
    db.prisma.goal.findMany({ where: { companyId }, orderBy: [...OLDEST_FIRST], ...page }),
  create: async (tx, body) => (await createGoal(tx, body)).id,
  update: updateGoal,
});
