import { attachment, listAttachmentsQuery, uploadedLogo } from '@switchyard/types';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Effects } from '../../context';
import { type CallScope, route } from '../../pipeline';
import { createAttachment, deleteAttachment, listAttachments } from './attachments';
import { assetContent, attachmentContent } from './contents';
import { createLogo } from './create-logo';
import { receiveFile } from './receive-file';
import { sendContent } from './send-content';
import type { Upload } from './upload';

type UploadCall = Pick<CallScope, 'companyId'> & { request: Request; response: Response };

export const attachmentRoutes = (effects: Effects) => {
  const { files, db, config } = effects;
  const read = ({ request, response, companyId }: UploadCall) =>
    receiveFile(request, response, { db, files, companyId, limitBytes: config.maxAttachmentBytes });
  return [
    route<Record<string, never>, Upload>({
      method: 'POST',
      path: '/api/companies/:companyId/logo',
      access: 'owner',
      rawBody: true,
      read,
      answer: uploadedLogo,
      handle: (call) => createLogo(call, call.body),
    }),
    route<Record<string, never>, Upload>({
      method: 'POST',
      path: '/api/companies/:companyId/issues/:issueId/attachments',
      access: 'agent-or-board',
      rawBody: true,
      read,
      answer: attachment,
      handle: (call) => createAttachment(call, call.params.issueId as string, call.body),
    }),
    route({
      method: 'GET',
      path: '/api/issues/:issueId/attachments',
      access: 'agent-or-board',
      query: listAttachmentsQuery,
      answer: z.array(attachment),
      handle: (call) => listAttachments(call, call.params.issueId as string, call.query),
    }),
    route({
      method: 'GET',
      path: '/api/attachments/:attachmentId/content',
      access: 'agent-or-board',
      streams: true,
      handle: async (call) => {
        const content = await attachmentContent(call.db, call.params.attachmentId as string);
        await sendContent(files, content, call.request, call.response);
      },
    }),
    route({
      method: 'GET',
      path: '/api/assets/:assetId/content',
      access: 'agent-or-board',
      streams: true,
      handle: async (call) => {
        const content = await assetContent(call.db, call.params.assetId as string);
        await sendContent(files, content, call.request, call.response, true);
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/attachments/:attachmentId',
      access: 'agent-or-board',
      handle: (call) => deleteAttachment(effects, call, call.params.attachmentId as string),
    }),
  ];
};
