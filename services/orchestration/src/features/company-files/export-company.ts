import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CompanyFile, ExportCompanyQuery } from '@switchyard/types';
import type { Request, Response } from 'express';
import type { RequestCall } from '../../route';
import { renderFile } from './file-format';
import { readFiles } from './read-files';

type ExportCall = RequestCall<string> & { request: Request; response: Response };

export async function exportCompany(call: ExportCall, { include }: ExportCompanyQuery) {
  const { request, response } = call;
  response.set({ 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
  if (request.method === 'HEAD') return void response.end();
  const lines = linesOf(call, include === 'issues' ? 'all' : []);
  await pipeline(Readable.from(lines), response).catch((error: unknown) => {
    if (!response.destroyed || !isPremature(error)) throw error;
  });
}

async function* linesOf(call: ExportCall, numbers: 'all' | []): AsyncGenerator<string> {
  for await (const { path, fields, text } of readFiles(call, numbers)) {
    const file: CompanyFile = { path, content: renderFile({ fields, text }) };
    yield `${JSON.stringify(file)}\n`;
  }
}

const isPremature = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
