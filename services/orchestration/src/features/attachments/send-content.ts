import { pipeline } from 'node:stream/promises';
import { ApiError, notFound } from '@switchyard/server';
import type { Request, Response } from 'express';
import type { FileStore } from '../../adapters/file-store/file-store';

export interface Content {
  storageKey: string;
  contentType: string;
  byteSize: number;
  sha256: string;
  filename: string;
}

/**
 * Sends all bytes, one range (206), or 304.
 * @throws ApiError 404 if the store has lost the bytes, 416 for a range beyond the end
 */
export async function sendContent(
  files: FileStore,
  content: Content,
  request: Request,
  response: Response,
  isLogo = false,
): Promise<void> {
  const { byteSize, storageKey } = content;
  const range = rangeOf(request, content);
  if (isKnown(request, content)) {
    setInertHeaders(response, content, isLogo);
    return void response.status(304).end();
  }
  if (range === 'unsatisfiable') {
    const headers = { 'Content-Range': `bytes */${byteSize}` };
    const message = `the range must be within the ${byteSize} bytes of the file`;
    throw new ApiError('range_not_satisfiable', message, { byteSize }, headers);
  }
  const bytes = await files.open(storageKey, range ?? undefined);
  if (!bytes) throw notFound('content');
  setInertHeaders(response, content, isLogo);
  response.set('Content-Length', String(range ? range.end - range.start + 1 : byteSize));
  if (range) {
    response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${byteSize}`);
  }
  if (request.method === 'HEAD') {
    bytes.destroy();
    return void response.end();
  }
  await pipeline(bytes, response).catch((error: unknown) => {
    if (bytes.errored && !isPremature(bytes.errored)) throw error;
  });
}

const etagOf = (content: Content) => `"${content.sha256}"`;

const INLINE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function disposition(content: Content, isLogo: boolean): string {
  const inline =
    INLINE.has(content.contentType) || (isLogo && content.contentType === 'image/svg+xml');
  const plain = content.filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(content.filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

function setInertHeaders(response: Response, content: Content, isLogo: boolean): void {
  response.set({
    'Content-Type': content.contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Content-Disposition': disposition(content, isLogo),
    'Cache-Control': 'private, max-age=0, must-revalidate',
    'Accept-Ranges': 'bytes',
    ETag: etagOf(content),
  });
}

const isPremature = (error: Error) =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';

function isKnown(request: Request, content: Content): boolean {
  const tags = (request.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etagOf(content));
}

function rangeOf(request: Request, content: Content) {
  const condition = request.get('if-range');
  if (condition !== undefined && condition !== etagOf(content)) return null;
  const ranges = request.range(content.byteSize);
  if (ranges === -1) return 'unsatisfiable';
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}
