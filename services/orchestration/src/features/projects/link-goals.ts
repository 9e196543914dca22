import type { Transaction } from '@switchyard/db';

/** Makes `goalIds`, in this order, the goals of a project; the caller holds the project's lock. */
export async function linkGoals(
  tx: Transaction,
  companyId: string,
  projectId: string,
  goalIds: string[],
): Promise<void> {
  await tx.prisma.projectGoal.deleteMany({ where: { projectId } });
  if (goalIds.length === 0) return;
  await tx.prisma.projectGoal.createMany({
    data: goalIds.map((goalId, position) => ({ companyId, projectId, goalId, position })),
  });
}
