import { z } from 'zod';
import { id, pageQuery, timestamp } from '../primitives';

/** spec, "Logo rules"; image/jpg is an alias of image/jpeg. */
export const LOGO_CONTENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/svg+xml',
] as const;

export const attachment = z.object({
  id,
  companyId: id,
  issueId: id,
  assetId: id,
  contentType: z.string(),
  byteSize: z.int(),
  sha256: z.string(),
  originalFilename: z.string(),
  createdByAgentId: id.nullable(),
  createdByUserId: z.string().nullable(),
  createdByRunId: id.nullable(),
  createdAt: timestamp,
  contentPath: z.string(),
});

export const uploadedLogo = z.object({
  assetId: id,
  contentType: z.enum(LOGO_CONTENT_TYPES),
  byteSize: z.int(),
  contentPath: z.string(),
});

export const listAttachmentsQuery = z.strictObject(pageQuery());

export type AttachmentView = z.infer<typeof attachment>;
export type UploadedLogoView = z.infer<typeof uploadedLogo>;
