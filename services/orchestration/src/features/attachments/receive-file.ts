import type { Database } from '@switchyard/db';
import { ApiError, invalidField } from '@switchyard/server';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import type { FileStore } from '../../adapters/file-store/file-store';
import type { Upload } from './storage/stored-bytes';
import { storeUpload } from './upload';

/**
 * Reads the one file part of a multipart request into the store; any field name
 * is taken. Nothing of a refused request is kept.
 * @throws ApiError 400 no or several files, or malformed; 409 `storage_full`; 413 beyond `limitBytes`;
 * 415 not multipart
 */
export async function receiveFile(
  request: Request,
  response: Response,
  place: Place,
): Promise<Upload> {
  if (!request.is('multipart/form-data')) {
    const allowed = ['multipart/form-data'];
    throw new ApiError('unsupported_media_type', 'send multipart/form-data', { allowed });
  }
  const { limitBytes } = place;
  const read = multer({
    storage: engine(place),
    defParamCharset: 'utf8',
    // The name is cleaned once, by us; of `..` multer would leave nothing and take the part for no file.
    preservePath: true,
    limits: { files: 1, fields: 10, fieldSize: 10_000, parts: 12, fileSize: limitBytes },
  }).any();
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) =>
      error ? reject(refusalOf(error, limitBytes)) : resolve(),
    );
  });
  const [file] = (request.files ?? []) as Stored[];
  if (!file?.upload) throw invalidField('file', 'a file part is missing');
  return file.upload;
}

/** A fault of ours while a file is stored; multer passes on whatever it is given. */
class StoreFault extends Error {
  constructor(override readonly cause: unknown) {
    super('a file could not be stored');
  }
}

type Stored = Express.Multer.File & { upload?: Upload };

interface Place {
  db: Database;
  files: FileStore;
  companyId: string;
  /** Of one file, and of all files of the company together; the latter 0 for no limit. */
  limitBytes: number;
  quotaBytes: number;
}

/** What a file can have at most: the sender said how long the whole request is, or it did not. */
function atMost(request: Request, limitBytes: number): number {
  const length = Number(request.get('content-length') ?? limitBytes);
  return Math.max(1, Math.min(length, limitBytes));
}

function engine({ db, files, companyId, limitBytes, quotaBytes }: Place): StorageEngine {
  return {
    _handleFile: (request, file, done) => {
      const part = { name: file.originalname, source: file.stream };
      const room = { atMostBytes: atMost(request, limitBytes), quotaBytes };
      const stored = storeUpload(db, files, companyId, part, room);
      stored.then(
        (upload) => done(null, { upload } as Partial<Stored>),
        (error: unknown) => done(file.stream.errored ? error : new StoreFault(error)),
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

function refusalOf(error: unknown, limitBytes: number): unknown {
  if (error instanceof StoreFault) return error.cause;
  if (error instanceof ApiError) return error;
  if (error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE') {
    return new ApiError('too_large', `the file is larger than ${limitBytes} bytes`, { limitBytes });
  }
  if (error instanceof MulterError && error.code === 'LIMIT_FILE_COUNT') {
    return invalidField('file', 'send one file part, not several');
  }
  const reason = error instanceof Error ? error.message.slice(0, 200) : 'malformed';
  return invalidField('file', `the multipart body cannot be read: ${reason}`);
}
