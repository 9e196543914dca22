import { createIssueBody, ISSUE_STATUSES, updateIssueBody } from '@switchyard/types';
import { z } from 'zod';
import { assertAssignable, lockAssignee } from '../../../state/issues/assignees';
import { insertIssue } from '../../../state/issues/insert-issue';
import { labelIssue } from '../../../state/labels/label-issue';
import { updateIssue } from '../../issues/update-issue';
import { writtenLabels } from '../../issues/written-labels';
import { defineKind } from './kind';

const { callbackUrl: _, callbackSecret: __, assigneeUserId: ___, ...shape } = createIssueBody.shape;
const status = z.enum(ISSUE_STATUSES).exclude(['in_progress']).optional();

export const issues = defineKind({
  folder: 'issues/',
  slug: /^[1-9]\d{0,8}$/,
  fields: {
    title: null,
    status: null,
    priority: null,
    labels: null,
    assignee: { to: 'agents', as: 'assigneeAgentId' },
    project: { to: 'projects', as: 'projectId' },
    goal: { to: 'goals', as: 'goalId' },
    parent: { to: 'issues', as: 'parentId' },
    blockedBy: { to: 'issues', as: 'blockedBy', isList: true },
    billingCode: null,
    dueDate: null,
  },
  text: 'description',
  creates: z.strictObject({ ...shape, status }),
  updates: z.strictObject({ ...shape, title: updateIssueBody.shape.title, status }),
  read: async ({ db, companyId, numbers }, page) => {
    const number = { select: { issueNumber: true } } as const;
    const rows = await db.prisma.issue.findMany({
      where: { companyId, ...(numbers && { issueNumber: { in: numbers } }) },
      include: {
        parent: number,
        blockedBy: { select: { blocker: number }, orderBy: { blocker: { issueNumber: 'asc' } } },
        labels: {
          select: { label: { select: { name: true } } },
          orderBy: { label: { key: 'asc' } },
        },
      },
      orderBy: { issueNumber: 'asc' },
      ...page,
    });
    return rows.map(({ parent, blockedBy, labels, ...row }) => ({
      ...row,
      slug: String(row.issueNumber),
      status: row.status === 'in_progress' ? 'todo' : row.status,
      parentId: parent?.issueNumber ?? null,
      blockedBy: blockedBy.map(({ blocker }) => blocker.issueNumber),
      labels: labels.map(({ label }) => label.name),
      dueDate: row.dueDate?.toISOString().slice(0, 10) ?? null,
    }));
  },
  /** Wakes no agent, because an import describes work that others have started. */
  create: async (tx, { labels = [], ...fields }, { slug }) => {
    const assignee = await lockAssignee(tx, tx.companyId, fields.assigneeAgentId);
    if (assignee) assertAssignable(assignee);
    const { issue } = await insertIssue(tx, { ...fields, issueNumber: Number(slug) }, 'quietly');
    if (labels.length > 0) await labelIssue(tx, issue.id, writtenLabels(labels));
    return issue.id;
  },
  update: (tx, id, body) => updateIssue(tx, id, { ...body, wake: false }),
});
