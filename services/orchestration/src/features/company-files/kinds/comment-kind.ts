import { conflict } from '@switchyard/server';
import { createCommentBody, id } from '@switchyard/types';
import { z } from 'zod';
import { insertComment } from '../../../state/issues/insert-comment';
import { defineKind, OLDEST_FIRST } from './kind';

const body = createCommentBody.shape.body;

export const comments = defineKind({
  folder: 'issues/',
  slug: /^([1-9]\d{0,8})\/comments\/[1-9]\d{0,8}$/,
  fields: { author: { to: 'agents', as: 'authorAgentId' } },
  text: 'body',
  needsText: true,
  creates: z.strictObject({ body, authorAgentId: id.nullable().optional() }),
  updates: z.strictObject({ body, authorAgentId: id.nullable() }).partial(),
  read: ({ db, issueId = '', companyId }, page) =>
    db.prisma.issueComment.findMany({
      where: { companyId, issueId },
      select: { id: true, body: true, authorAgentId: true },
      orderBy: [...OLDEST_FIRST],
      ...page,
    }),
  /** Wakes no mentioned agent. The author is an agent of the file, or else the caller. */
  create: async (tx, { body, authorAgentId }, { slug, idOf }) => {
    const issueId = idOf('issues', slug.split('/')[0] as string);
    const author = authorAgentId && { createdByAgentId: authorAgentId, createdByUserId: null };
    const made = await insertComment(tx, issueId, {
      body,
      mentions: [],
      ...(author && { author }),
    });
    return made.id;
  },
  update: async () => {
    throw conflict('conflict', 'a comment cannot be changed: remove the file, or add a comment', {
      retry: false,
    });
  },
});
