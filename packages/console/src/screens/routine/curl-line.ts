export function curlLine(fireUrl: string, signingMode: string, secret = '<secret>'): string {
  const body = `'{"hello":"world"}'`;
  const known = `SECRET='${secret}'`;
  if (signingMode === 'bearer') {
    return [
      known,
      `curl -sS --fail-with-body -X POST '${fireUrl}' \\`,
      `  -H 'Content-Type: application/json' -H "Authorization: Bearer $SECRET" \\`,
      `  -d ${body}`,
    ].join('\n');
  }
  return [
    known,
    `BODY=${body}`,
    'TIMESTAMP=$(date +%s)',
    `SIGNATURE=$(printf '%s.%s' "$TIMESTAMP" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`,
    `curl -sS --fail-with-body -X POST '${fireUrl}' -H 'Content-Type: application/json' \\`,
    `  -H "X-Service-Timestamp: $TIMESTAMP" -H "X-Service-Signature: sha256=$SIGNATURE" -d "$BODY"`,
  ].join('\n');
}

export const hasCurlLine = (signingMode: string): boolean =>
  signingMode === 'bearer' || signingMode === 'hmac_sha256';
