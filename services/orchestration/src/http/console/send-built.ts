import { extname } from 'node:path';
import { ApiError } from '@switchyard/server';
import type { Request, Response } from 'express';
import { type Asset, type BuiltFiles, type Page, variantOf } from './built-files';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The name changes with the content, so browsers may cache the file forever. */
export function sendAsset(request: Request, response: Response, asset: Asset): void {
  const accepted = request.acceptsEncodings();
  const encoding = asset.encodings.find((each) => accepted.includes(each));
  if (encoding) response.set('Content-Encoding', encoding);
  response
    .vary('Accept-Encoding')
    .type(extname(asset.path))
    .set('Cache-Control', 'public, max-age=31536000, immutable')
    .sendFile(encoding ? variantOf(asset, encoding) : asset.path, {
      acceptRanges: false,
      cacheControl: false,
      lastModified: false,
    });
}

export function sendPage(
  response: Response,
  { type, content, tag }: Omit<Page, 'tag'> & { tag: string | null },
): void {
  response
    .set('Content-Security-Policy', POLICY)
    .set('X-Frame-Options', 'DENY')
    // Without a referrer the sign-in form would send no origin and be rejected.
    .set('Referrer-Policy', 'same-origin')
    .set('Cache-Control', 'no-cache')
    .type(type);
  if (tag) response.set('ETag', tag);
  response.send(content);
}

export const BUILD = 'npm run build';

export function pageOf(built: BuiltFiles | null, name: string): Page {
  const page = built?.pages.get(name);
  if (page) return page;
  const problem = `the console is not built: run \`${BUILD}\` and start again`;
  throw new ApiError('unavailable', problem, { retry: false });
}
