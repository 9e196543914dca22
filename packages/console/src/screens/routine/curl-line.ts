/** A line for a shell that fires a webhook; the secret is never a part of it. */
export function curlLine(fireUrl: string, signingMode: string): string {
  const body = `'{"hello":"world"}'`;
  if (signingMode === 'bearer') {
    return [
      `curl -sS --fail-with-body -X POST '${fireUrl}' \\`,
      `  -H 'Content-Type: application/json' -H "Authorization: Bearer $SECRET" \\`,
      `  -d ${body}`,
    ].join('\n');
  }
  return [
    `BODY=${body}`,
    'TIMESTAMP=$(date +%s)',
    `SIGNATURE=$(printf '%s.%s' "$TIMESTAMP" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`,
    `curl -sS --fail-with-body -X POST '${fireUrl}' -H 'Content-Type: application/json' \\`,
    `  -H "X-Service-Timestamp: $TIMESTAMP" -H "X-Service-Signature: sha256=$SIGNATURE" -d "$BODY"`,
  ].join('\n');
}

/** The senders of the other modes sign in a way of their own, which no shell has at hand. */
export const hasCurlLine = (signingMode: string): boolean =>
  signingMode === 'bearer' || signingMode === 'hmac_sha256';
