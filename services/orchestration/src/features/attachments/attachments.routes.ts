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

/** A range of the bytes, and nothing for who has them already. */
const DOWNLOADED = { 206: z.unknown(), 304: null };
const RANGED = {
  Range: 'One range of bytes.',
  'If-Range': 'The `ETag` that the range is of.',
  'If-None-Match': 'The `ETag` of what the caller has.',
};

type UploadCall = Pick<CallScope, 'companyId'> & { request: Request; response: Response };

export const attachmentRoutes = (effects: Effects) => {
  const { files, db, config } = effects;
  const read = ({ request, response, companyId }: UploadCall) =>
    receiveFile(request, response, {
      db,
      files,
      companyId,
      limitBytes: config.maxAttachmentBytes,
      quotaBytes: config.companyStorageBytes,
    });
  return [
    route<Record<string, never>, Upload>({
      method: 'POST',
      path: '/api/companies/:companyId/logo',
      operation: 'uploadLogo',
      summary: 'Upload the logo of a company',
      refuses: ['unsupported_media_type'],
      access: 'owner',
      rawBody: true,
      read,
      answer: uploadedLogo,
      handle: (call) => createLogo(call, call.body),
    }),
    route<Record<string, never>, Upload>({
      method: 'POST',
      path: '/api/companies/:companyId/issues/:issueId/attachments',
      operation: 'uploadAttachment',
      summary: 'Attach a file to an issue',
      access: 'agent-or-board',
      rawBody: true,
      read,
      answer: attachment,
      handle: (call) => createAttachment(call, call.params.issueId as string, call.body),
    }),
    route({
      method: 'GET',
      path: '/api/issues/:issueId/attachments',
      operation: 'listAttachments',
      summary: 'List the attachments of an issue',
      access: 'agent-or-board',
      query: listAttachmentsQuery,
      answer: z.array(attachment),
      handle: (call) => listAttachments(call, call.params.issueId as string, call.query),
    }),
    route({
      method: 'GET',
      path: '/api/attachments/:attachmentId/content',
      operation: 'getAttachmentContent',
      summary: 'Download an attachment',
      refuses: ['range_not_satisfiable'],
      access: 'agent-or-board',
      streams: '*/*',
      others: DOWNLOADED,
      headers: RANGED,
      handle: async (call) => {
        const content = await attachmentContent(call.db, call.params.attachmentId as string);
        await sendContent(files, content, call.request, call.response);
      },
    }),
    route({
      method: 'GET',
      path: '/api/assets/:assetId/content',
      operation: 'getAssetContent',
      summary: 'Download an asset, such as a logo',
      refuses: ['range_not_satisfiable'],
      access: 'agent-or-board',
      streams: '*/*',
      others: DOWNLOADED,
      headers: RANGED,
      handle: async (call) => {
        const content = await assetContent(call.db, call.params.assetId as string);
        await sendContent(files, content, call.request, call.response, true);
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/attachments/:attachmentId',
      operation: 'deleteAttachment',
      summary: 'Delete an attachment',
      access: 'agent-or-board',
      handle: (call) => deleteAttachment(effects, call, call.params.attachmentId as string),
    }),
  ];
};
