const LONGEST = 300;

export function createRedaction(secrets: readonly (string | null)[]): (text: string) => string {
  const known = secrets.filter((secret) => secret !== null && secret.length > 3) as string[];
  return (text) => {
    let safe = text
      .replace(/(https?:\/\/[^\s?#"]+)[?#]\S*/g, '$1')
      .replace(
        /\b(signature|api[-_]?sign|api[-_]?key|nonce|timestamp)["']?\s*[=:]\s*["']?[\w+/%=-]+/gi,
        '$1=***',
      );
    for (const secret of known) safe = safe.replaceAll(secret, '***');
    return safe.length > LONGEST ? `${safe.slice(0, LONGEST)}…` : safe;
  };
}
