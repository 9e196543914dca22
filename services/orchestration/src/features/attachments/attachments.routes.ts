import { attachment, listAttachmentsQuery, uploadedLogo } from '@switchyard/types';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type RequestCall, route } from '../../route';
import { createAttachment, deleteAttachment, listAttachments } from './attachments';
import { createLogo } from './create-logo';
import { downloadAsset, downloadAttachment } from './download';
import { receiveFile } from './receive-file';
import type { Upload } from './storage/stored-bytes';

const DOWNLOADED = { 206: z.unknown(), 304: null };
const RANGED = {
  Range: 'One range of bytes.',
  'If-Range': 'The `ETag` of the file that the range belongs to.',
  'If-None-Match': 'The `ETag` of the copy that the caller has.',
};

type UploadCall = Pick<RequestCall<string>, 'companyId' | 'context'> & {
  request: Request;
  response: Response;
};

const read = ({ context, request, response, companyId }: UploadCall): Promise<Upload> =>
  receiveFile(request, response, {
    logger: context.logger,
    db: context.db,
    files: context.files,
    companyId,
    limitBytes: context.config.maxAttachmentBytes,
    quotaBytes: context.config.companyStorageBytes,
  });

export const attachmentRoutes = [
  route({
    method: 'POST',
    path: '/api/companies/:companyId/logo',
    operation: 'uploadLogo',
    summary: 'Upload the logo of a company',
    errors: ['unsupported_media_type'],
    access: 'owner',
    rawBody: true,
    read,
    response: uploadedLogo,
    handle: (call) => createLogo(call, call.body),
  }),
  route({
    method: 'POST',
    path: '/api/companies/:companyId/issues/:issueId/attachments',
    operation: 'uploadAttachment',
    summary: 'Attach a file to an issue',
    access: 'agent-or-board',
    rawBody: true,
    read,
    response: attachment,
    handle: (call) => createAttachment(call, call.params.issueId, call.body),
  }),
  route({
    method: 'GET',
    path: '/api/issues/:issueId/attachments',
    operation: 'listAttachments',
    summary: 'List the attachments of an issue',
    access: 'agent-or-board',
    query: listAttachmentsQuery,
    response: z.array(attachment),
    handle: (call) => listAttachments(call, call.params.issueId, call.query),
  }),
  route({
    method: 'GET',
    path: '/api/attachments/:attachmentId/content',
    operation: 'getAttachmentContent',
    summary: 'Download an attachment',
    errors: ['range_not_satisfiable'],
    access: 'agent-or-board',
    streams: '*/*',
    otherResponses: DOWNLOADED,
    headers: RANGED,
    handle: (call) => downloadAttachment(call, call.params.attachmentId),
  }),
  route({
    method: 'GET',
    path: '/api/assets/:assetId/content',
    operation: 'getAssetContent',
    summary: 'Download an asset, such as a logo',
    errors: ['range_not_satisfiable'],
    access: 'agent-or-board',
    streams: '*/*',
    otherResponses: DOWNLOADED,
    headers: RANGED,
    handle: (call) => downloadAsset(call, call.params.assetId),
  }),
  route({
    method: 'DELETE',
    path: '/api/attachments/:attachmentId',
    operation: 'deleteAttachment',
    summary: 'Delete an attachment',
    access: 'agent-or-board',
    handle: (call) => deleteAttachment(call, call.params.attachmentId),
  }),
];
