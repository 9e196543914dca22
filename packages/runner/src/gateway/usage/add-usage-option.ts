/**
 * Adds `stream_options.include_usage` to a streaming Chat Completions request; otherwise the
 * response would contain no counts. Keeps the client's own options, and returns other requests
 * unchanged.
 */
export function addUsageOption(body: Buffer): Buffer {
  if (!body.includes('"stream"')) return body;
  const request = readObject(body);
  if (request?.stream !== true) return body;
  const { stream_options: options = null } = request;
  if (options === null && !('stream_options' in request)) {
    const end = body.lastIndexOf('}');
    const added = Buffer.from(',"stream_options":{"include_usage":true}');
    return Buffer.concat([body.subarray(0, end), added, body.subarray(end)]);
  }
  if (typeof options !== 'object' || Array.isArray(options)) return body;
  const merged = { ...options, include_usage: true };
  return Buffer.from(JSON.stringify({ ...request, stream_options: merged }));
}

function readObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
