import type { Transaction } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import { GOAL_LEVELS, type GoalLevel } from '@switchyard/types';

interface Place {
  id: string | null;
  companyId: string;
  level: GoalLevel;
  parentId: string | null;
}

/**
 * Requires a parent of the same or a higher level (docs/contract.md, "Goals and projects"). The
 * caller holds the hierarchy's lock. The composite key rejects a parent in another company.
 * @throws ApiError 422 `semantic_error` naming `parentId`, or `level` if a child would be at a
 * higher level
 */
export async function assertLevels(tx: Transaction, goal: Place): Promise<void> {
  const { id, companyId, level, parentId } = goal;
  const parent = parentId
    ? await tx.prisma.goal.findFirst({
        where: { id: parentId, companyId },
        select: { level: true },
      })
    : null;
  if (parent && !upTo(level).includes(parent.level as GoalLevel)) {
    const text = `parentId must not name a goal of a lower level: a ${parent.level} goal cannot contain a ${level} goal`;
    const details = { field: 'parentId', parentLevel: parent.level, level };
    throw unprocessable('semantic_error', text, details);
  }
  const child = id
    ? await tx.prisma.goal.findFirst({
        where: { companyId, parentId: id, level: { in: above(level) } },
        select: { id: true, level: true },
      })
    : null;
  if (child) {
    const text = `level must not be lower than that of the goals below: a ${child.level} goal is below this goal`;
    const details = { field: 'level', childId: child.id, childLevel: child.level, level };
    throw unprocessable('semantic_error', text, details);
  }
}

const upTo = (level: GoalLevel) => GOAL_LEVELS.slice(0, GOAL_LEVELS.indexOf(level) + 1);
const above = (level: GoalLevel) => GOAL_LEVELS.slice(0, GOAL_LEVELS.indexOf(level));
