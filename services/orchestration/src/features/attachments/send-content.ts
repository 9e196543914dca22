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

const etagOf = (content: Content) => `"${content.sha256}"`;

/** Shown by a browser as they are; everything else is offered for saving. */
const INLINE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** RFC 6266: a plain name for old clients beside the real one. */
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

/** Whatever the bytes are, a browser runs none of them. */
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

/** True when the client names the bytes among those it has (`If-None-Match`). */
function isKnown(request: Request, content: Content): boolean {
  const tags = (request.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etagOf(content));
}

/** The one range that was asked for; `null` for the whole, 'unsatisfiable' beyond its end. */
function rangeOf(request: Request, content: Content) {
  const condition = request.get('if-range');
  if (condition !== undefined && condition !== etagOf(content)) return null;
  const ranges = request.range(content.byteSize);
  if (ranges === -1) return 'unsatisfiable';
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}

/**
 * Answers the bytes of an asset: whole, one range (206), or 304 when the client has them.
 * @throws ApiError 404 when the store has lost them, 416 beyond their end
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
    const message = `the file has ${byteSize} bytes`;
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
    // A client that goes away in the middle is no fault of ours; a store that breaks off is.
    if (bytes.errored && !isPremature(bytes.errored)) throw error;
  });
}
