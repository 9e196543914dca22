import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface FakeS3 {
  url: string;
  objects: Map<string, Buffer>;
  requests: { method: string; path: string; headers: IncomingHttpHeaders }[];
  refuseWith: number | null;
  refuses?: (method: string, path: string) => boolean;
  close(): Promise<void>;
}

const failure = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;

const PAGE = 20;

function list(objects: Map<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()]
    .map((name) => name.slice(bucket.length + 2))
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort();
  const contents = keys.slice(0, PAGE).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  const rest =
    keys.length > PAGE
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${keys[PAGE - 1]}</NextContinuationToken>`
      : '<IsTruncated>false</IsTruncated>';
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${rest}${contents.join('')}</ListBucketResult>`;
}

export async function startFakeS3(bucket: string): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const requests: FakeS3['requests'] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers });
    const sent = await buffer(request).catch(() => null);
    if (sent === null) return;
    const name = new URL(path, 'http://s3').pathname;
    const answer = (status: number, body?: Buffer | string, more: Record<string, string> = {}) =>
      response.writeHead(status, more).end(body);
    if (fake.refuseWith || fake.refuses?.(method, name))
      return answer(fake.refuseWith ?? 403, failure('AccessDenied'));
    const { searchParams } = new URL(path, 'http://s3');
    if (searchParams.has('list-type')) return answer(200, list(objects, bucket, searchParams));
    if (!name.startsWith(`/${bucket}/`)) return answer(404, failure('NoSuchBucket'));
    if (method === 'PUT') {
      objects.set(name, sent);
      return answer(200, undefined, { ETag: '"etag"' });
    }
    if (method === 'DELETE') {
      objects.delete(name);
      return answer(204);
    }
    const found = objects.get(name);
    if (!found) return answer(404, failure('NoSuchKey'));
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
    if (!range) return answer(200, found);
    const [start, end] = [Number(range[1]), Number(range[2])];
    const part = { 'Content-Range': `bytes ${start}-${end}/${found.length}` };
    return answer(206, found.subarray(start, end + 1), part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeS3 = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    refuseWith: null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
