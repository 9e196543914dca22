import { createGoalBody, updateGoalBody } from '@switchyard/types';
import { createGoal } from '../../goals/create-goal';
import { getGoal } from '../../goals/goals';
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
  read: async (source, page) => {
    const { db, companyId } = source;
    const rows = await db.prisma.goal.findMany({
      where: { companyId },
      select: { id: true },
      orderBy: [...OLDEST_FIRST],
      ...page,
    });
    const found = [];
    for (const { id } of rows) found.push({ ...(await getGoal(source, id)) });
    return found;
  },
  create: async (tx, body) => (await createGoal(tx, body)).id,
  update: updateGoal,
});
