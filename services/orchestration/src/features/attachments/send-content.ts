import { pipeline } from 'node:stream/promises';
import { notFound } from '@switchyard/server';
import type { Request, Response } from 'express';
import type { FileStore } from '../../adapters/file-store/file-store';

export interface Content {
  storageKey: string;
  contentType: string;
  byteSize: number;
  sha256: string;
  filename: string;
}

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

/** Whatever the bytes are, a browser runs none of them (guarantee G26). */
function setInertHeaders(response: Response, content: Content, isLogo: boolean): void {
  response.set({
    'Content-Type': content.contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Content-Disposition': disposition(content, isLogo),
    'Cache-Control': 'private, max-age=0, must-revalidate',
    'Accept-Ranges': 'bytes',
    ETag: `"${content.sha256}"`,
  });
}

/** The one range that was asked for; `null` for the whole, 'unsatisfiable' beyond its end. */
function rangeOf(request: Request, content: Content) {
  const condition = request.get('if-range');
  if (condition !== undefined && condition !== `"${content.sha256}"`) return null;
  const ranges = request.range(content.byteSize);
  if (ranges === -1) return 'unsatisfiable';
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}

/**
 * Answers the bytes of an asset: whole, one range (206), 416 beyond the end, 304 when the client has them.
 * @throws Refusal 404 when the store has lost them
 */
export async function sendContent(
  files: FileStore,
  content: Content,
  request: Request,
  response: Response,
  isLogo = false,
): Promise<void> {
  setInertHeaders(response, content, isLogo);
  if (request.fresh) return void response.status(304).end();
  const range = rangeOf(request, content);
  if (range === 'unsatisfiable') {
    response.set('Content-Range', `bytes */${content.byteSize}`);
    return void response.status(416).end();
  }
  const length = range ? range.end - range.start + 1 : content.byteSize;
  if (range) {
    response.status(206);
    response.set('Content-Range', `bytes ${range.start}-${range.end}/${content.byteSize}`);
  }
  response.set('Content-Length', String(length));
  if (request.method === 'HEAD') return void response.end();
  const bytes = await files.open(content.storageKey, range ?? undefined);
  if (!bytes) {
    for (const name of response.getHeaderNames()) {
      if (/^(content-|etag|accept-ranges|cache-control)/.test(name)) response.removeHeader(name);
    }
    throw notFound('content');
  }
  // A client that goes away in the middle is no fault of ours.
  await pipeline(bytes, response).catch(() => response.destroy());
}
