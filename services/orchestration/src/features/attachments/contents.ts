import type { Database } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { Content } from './send-content';

export async function attachmentContent(db: Database, attachmentId: string): Promise<Content> {
  const row = await db.prisma.attachment.findUnique({
    where: { id: attachmentId },
    include: { asset: true },
  });
  if (!row) throw notFound('attachment');
  return { ...row.asset, filename: row.originalFilename };
}

export async function assetContent(db: Database, assetId: string): Promise<Content> {
  const asset = await db.prisma.asset.findUnique({ where: { id: assetId } });
  if (!asset) throw notFound('asset');
  const extension = /^image\/(\w+)/.exec(asset.contentType)?.[1] ?? 'bin';
  return { ...asset, filename: `${asset.id}.${extension}` };
}
