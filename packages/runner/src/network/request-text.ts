import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';

export interface TextResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export function requestText(
  target: URL,
  options: RequestOptions,
  content?: Buffer,
): Promise<TextResponse> {
  const request = target.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    request(target, options, (response) => readText(response).then(resolve, reject))
      .once('error', reject)
      .end(content);
  });
}

async function readText(response: IncomingMessage): Promise<TextResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_RESPONSE_BYTES)
      throw new Error(`the response must not exceed ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk as Buffer);
  }
  const { statusCode: status = 0, headers } = response;
  return { status, headers, text: Buffer.concat(chunks).toString('utf8') };
}
