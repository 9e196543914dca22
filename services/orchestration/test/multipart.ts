const BOUNDARY = 'a-boundary-that-no-file-contains';

export function multipart(file: { name: string; contentType: string; content: string }) {
  const body = [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="file"; filename="${file.name}"`,
    `Content-Type: ${file.contentType}`,
    '',
    file.content,
    `--${BOUNDARY}--`,
    '',
  ].join('\r\n');
  return { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body };
}
