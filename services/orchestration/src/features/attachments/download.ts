import { notFound } from '@switchyard/server';
import type { Request, Response } from 'express';
import type { RequestCall } from '../../route';
import { type Content, sendContent } from './send-content';

export async function downloadAttachment(call: Download, attachmentId: string): Promise<void> {
  const attachment = await call.db.prisma.attachment.findUnique({
    where: { id: attachmentId },
    include: { asset: true },
  });
  if (!attachment) throw notFound('attachment');
  await send(call, { ...attachment.asset, filename: attachment.originalFilename }, false);
}

export async function downloadAsset(call: Download, assetId: string): Promise<void> {
  const asset = await call.db.prisma.asset.findUnique({ where: { id: assetId } });
  if (!asset) throw notFound('asset');
  const extension = /^image\/(\w+)/.exec(asset.contentType)?.[1] ?? 'bin';
  await send(call, { ...asset, filename: `${asset.id}.${extension}` }, true);
}

type Download = RequestCall & { request: Request; response: Response };

const send = ({ context, request, response }: Download, content: Content, isLogo: boolean) =>
  sendContent(context.files, content, request, response, isLogo);
