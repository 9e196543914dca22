import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Database } from '@switchyard/db';
import { ApiError, errorFields, invalidField, type Logger, unavailable } from '@switchyard/server';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import type { FileStore } from '../../adapters/file-store/file-store';
import type { Upload } from './storage/stored-bytes';
import { SenderFault, storeUpload } from './upload';

/**
 * Stores the single file of a multipart request, under any field name. Stores nothing if it rejects
 * the request.
 * @throws ApiError 400 for no or several files, or a malformed body; 409 `storage_full`; 413 beyond
 * `limitBytes`; 415 if not multipart; 503 if the store or the database fails
 */
export async function receiveFile(
  request: Request,
  response: Response,
  place: Place,
): Promise<Upload> {
  if (!request.is('multipart/form-data')) {
    const allowed = ['multipart/form-data'];
    throw new ApiError('unsupported_media_type', 'the body must be multipart/form-data', {
      allowed,
    });
  }
  const { limitBytes } = place;
  const options: Options = {
    storage: engine(place),
    streamHandler: parseUntilRefused,
    defParamCharset: 'utf8',
    // Without this option, multer shortens the name `..` to nothing and treats the part as a field.
    // Names are cleaned later.
    preservePath: true,
    limits: { files: 1, fields: 10, fieldSize: 10_000, parts: 12, fileSize: limitBytes },
  };
  const parts = readAlong(request);
  await new Promise<void>((resolve, reject) => {
    multer(options).any()(parts, response, (error?: unknown) =>
      error ? reject(refusalOf(error, place)) : resolve(),
    );
  });
  const [file] = (parts.files ?? []) as Stored[];
  if (!file?.upload) throw invalidField('file', 'must be sent as a part of the multipart body');
  return file.upload;
}

const REPLACEMENT = '\ufffd';

/** Adds an option that multer's types lack. */
type Options = multer.Options & { streamHandler(parts: Readable, parser: Writable): void };

/**
 * Returns a stream of the request that can end early: multer rejects a request only after the
 * stream has ended, but a client may never end it. The server discards the rest.
 */
function readAlong(request: Request): Request {
  const { headers } = request;
  const parts = Object.assign(new PassThrough(), { headers });
  request.pipe(parts);
  request.once('close', () => {
    if (!request.complete)
      parts.destroy(new Error('the request ended before its body was complete'));
  });
  return parts as unknown as Request;
}

function parseUntilRefused(parts: Readable, parser: Writable): void {
  parser.once('unpipe', () => {
    if (parts instanceof PassThrough) parts.end();
  });
  parts.pipe(parser);
}

class StoreFault extends Error {
  constructor(override readonly cause: unknown) {
    super('a file could not be stored');
  }
}

type Stored = Express.Multer.File & { upload?: Upload };

interface Place {
  logger: Logger;
  db: Database;
  files: FileStore;
  companyId: string;
  limitBytes: number;
  quotaBytes: number;
}

function atMost({ headers }: Request, limitBytes: number): number {
  const length = Number(headers['content-length'] ?? limitBytes);
  return Math.max(1, Math.min(length, limitBytes));
}

function engine({ db, files, companyId, limitBytes, quotaBytes }: Place): StorageEngine {
  return {
    _handleFile: (request, file, done) => {
      if (file.originalname.includes(REPLACEMENT)) {
        return done(invalidField('file', 'the file name must be valid UTF-8'));
      }
      const part = { name: file.originalname, source: file.stream };
      const room = { atMostBytes: atMost(request, limitBytes), quotaBytes };
      const stored = storeUpload(db, files, companyId, part, room);
      stored.then(
        (upload) => done(null, { upload } as Partial<Stored>),
        (error: unknown) =>
          done(error instanceof SenderFault ? error.cause : new StoreFault(error)),
      );
    },
    _removeFile: (_request, file: Stored, done) => {
      const removed = file.upload?.discard() ?? Promise.resolve();
      removed.then(
        () => done(null),
        (error: unknown) => done(new StoreFault(error)),
      );
    },
  };
}

function refusalOf(error: unknown, { limitBytes, logger }: Place): unknown {
  if (error instanceof StoreFault) {
    const { cause } = error;
    if (cause instanceof ApiError) return cause;
    logger.error('a file could not be stored', errorFields(cause));
    return unavailable('the file cannot be stored at the moment; try again later');
  }
  if (error instanceof ApiError) return error;
  if (error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE') {
    return new ApiError('too_large', `the file is larger than ${limitBytes} bytes`, { limitBytes });
  }
  if (error instanceof MulterError && error.code === 'LIMIT_FILE_COUNT') {
    return invalidField('file', 'must be sent exactly once');
  }
  const reason = error instanceof Error ? error.message.slice(0, 200) : 'malformed';
  return invalidField('file', `the multipart body cannot be read: ${reason}`);
}
