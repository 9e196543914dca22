import { proxyUrl } from '../network/proxy-secret';
import type { Origin } from './origins/origin';
import type { Repository } from './origins/repositories';

/** Maps credentials that are named after a tool to the tool's provider. */
const SIGN_INS: Readonly<Record<string, string>> = {
  CLAUDE_CODE_OAUTH_TOKEN: 'ANTHROPIC',
  CODEX_API_KEY: 'OPENAI',
};

const NOT_PROXIED = '127.0.0.1,localhost,::1';

export function agentEnvironment(
  { port, proxySecret }: { port: number; proxySecret: string | null },
  origins: readonly Origin[],
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const base = `http://127.0.0.1:${port}`;
  const proxy = proxyUrl(port, proxySecret);
  const served = origins.map((origin) => origin.environment(base));
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: NOT_PROXIED,
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: NOT_PROXIED,
    NODE_USE_ENV_PROXY: '1',
    ...withoutOwnProviders(Object.assign({}, ...served), own),
  };
}

function withoutOwnProviders(
  served: Record<string, string>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const providerOf = (name: string) =>
    SIGN_INS[name] ??
    /^(.+)_(?:BASE_URL|API_KEY|AUTH_TOKEN)$/.exec(name)?.[1] ??
    /^(OTEL)_(?:BSP|EXPORTER_OTLP|TRACES_EXPORTER|METRICS_EXPORTER|LOGS_EXPORTER)/.exec(name)?.[1];
  const taken = new Set(Object.keys(own).map(providerOf));
  return Object.fromEntries(
    Object.entries(served).filter(([name]) => {
      const provider = providerOf(name);
      return provider === undefined || !taken.has(provider);
    }),
  );
}

export function gitConfig(
  port: number,
  repositories: readonly Repository[],
  token: string,
): [key: string, value: string][] {
  const base = `http://127.0.0.1:${port}`;
  return [
    [`http.${base}/.extraHeader`, `Authorization: Bearer ${token}`],
    [`http.${base}/.proxy`, ''],
    ...repositories.flatMap(({ prefix, url }) =>
      spellingsOf(url).map((spelling): [string, string] => [
        `url.${base}${prefix.replace(/\/+$/, '')}/.insteadOf`,
        spelling,
      ]),
    ),
  ];
}

/** git compares URLs literally, so this returns both the project's spelling and the parser's. */
function spellingsOf(url: string): string[] {
  return [...new Set([url, new URL(url).href])];
}
