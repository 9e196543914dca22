import { putDocumentBody } from '@switchyard/types';
import { getDocument } from '../../documents/documents';
import { putDocument } from '../../documents/put-document';
import { defineKind, OLDEST_FIRST } from './kind';

export const documents = defineKind({
  folder: 'issues/',
  slug: /^([1-9]\d{0,8})\/documents\/([a-z0-9][a-z0-9_-]{0,63})$/,
  fields: { title: null, format: null },
  text: 'body',
  needsText: true,
  creates: putDocumentBody.omit({ baseRevisionId: true }),
  updates: putDocumentBody.omit({ baseRevisionId: true }).partial(),
  read: async ({ db, issueId = '', companyId }, page) => {
    const rows = await db.prisma.issueDocument.findMany({
      where: { companyId, issueId },
      select: { id: true, key: true },
      orderBy: [...OLDEST_FIRST],
      ...page,
    });
    const found = [];
    for (const { id, key } of rows) {
      const { title, format, body } = await getDocument({ db }, issueId, key);
      found.push({ id, slug: key, title, format, body });
    }
    return found;
  },
  create: async (tx, body, { slug, idOf }) => {
    const [number = '', , key = ''] = slug.split('/');
    const { body: made } = await putDocument(tx, idOf('issues', number), key, body);
    return made.id;
  },
  update: async (tx, id, changes) => {
    const { issueId, key } = await tx.prisma.issueDocument.findUniqueOrThrow({ where: { id } });
    const { body, latestRevisionId } = await getDocument(tx, issueId, key);
    await putDocument(tx, issueId, key, { body, ...changes, baseRevisionId: latestRevisionId });
  },
});
