import { ask, statement, type Transaction } from '@switchyard/db';

export async function lockProject(tx: Transaction, projectId: string): Promise<void> {
  await ask(tx, lock, { projectId });
}

const lock = statement('lock-project', {
  takes: { projectId: 'uuid' },
  gives: {},
  sql: ({ projectId }) => `SELECT FROM project WHERE id = ${projectId} FOR NO KEY UPDATE`,
});

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
