import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** `${NAME:-default}`, where the default may have one of its own, as `docker compose` fills it in. */
export function interpolate(text, env) {
  const inner = /\$\{([A-Z0-9_]+):-([^${}]*)\}/g;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(inner, (_, name, otherwise) => env[name] || otherwise);
  }
  return text;
}

/** In every text of a parsed file; after parsing, as `docker compose` does it, so that nothing stays a text. */
function fillIn(value, env) {
  if (typeof value === 'string') return interpolate(value, env);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, env));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, env)]));
}

/** The services of docker-compose.yml with nothing set but `env`. */
export function readCompose(env = {}) {
  const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
  return fillIn(parse(text, { merge: true }).services, env);
}
