import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser, type Instruction, type JSONInstruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { ROOT } from './manifest';
import { isCommand } from './process-rules';

/** Set for everything in the image, and read by no config of ours. */
const SURROUNDINGS = ['NODE_ENV', 'HOME', 'PRISMA_ROOT', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX'];

/** What V8 and the C library keep for themselves; both take no smaller amount later. */
const MEMORY = ['NODE_OPTIONS=--max-semi-space-size=4', 'MALLOC_ARENA_MAX=2'];

/** Exact and by its content, of the release of Node with long support. */
const BASE = /^BASE_IMAGE=node:24\.\d+\.\d+-[a-z]+-slim@sha256:[0-9a-f]{64}$/;

export interface Expected {
  service: 'orchestration' | 'metrics';
  ports: number[];
  /** Every variable that the service reads. */
  known: readonly string[];
}

/** `["node", "x"]` of an instruction in its exec form, else null: a shell would stand between us and signals. */
function words(instruction: Instruction | undefined): string[] | null {
  const text = /\[.*\]\s*$/s.exec(
    instruction?.getArgumentsContent()?.replace(/\\\n/g, '') ?? '',
  )?.[0];
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

function probeFindings(check: string[] | null, ports: number[]): string[] {
  if (check?.[0] !== 'node') return ['the health check is not one that node runs'];
  const urls = check.filter((word) => word.startsWith('http')).map((word) => new URL(word));
  return urls.flatMap(({ pathname, port }) => [
    ...(pathname === '/livez' ? [] : [`the health check asks ${pathname}`]),
    ...(ports.includes(Number(port)) ? [] : [`the health check asks port ${port}`]),
  ]);
}

/** One stage builds, one runs: not as root, nothing that builds in it, signals through tini, labels from outside. */
export function dockerfileFindings(text: string, { service, ports, known }: Expected): string[] {
  const found = validate(text).map(({ message }) => String(message));
  const file = DockerfileParser.parse(text);
  const all = file.getInstructions();
  const at = (keyword: string) => all.filter((one) => one.getKeyword() === keyword);
  const froms = file.getFROMs();
  const start = froms.at(-1)?.getRange().start.line ?? 0;
  const last = (keyword: string) => at(keyword).filter((one) => one.getRange().start.line > start);
  const argument = (one: Instruction | undefined) => one?.getArgumentsContent() ?? '';

  for (const from of froms) {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the Dockerfile
    if (from.getImage() !== '${BASE_IMAGE}') found.push(`${from.getImage()} can't be replaced`);
  }
  const base = file.getInitialARGs().map((one) => one.getArgumentsContent() ?? '')[0] ?? '';
  if (!BASE.test(base)) found.push(`${base}: is not one image of a Node that is maintained`);
  for (const run of at('RUN').map(argument)) {
    if (/\b(npx|npm|corepack|yarn)\b/.test(run)) found.push(`checks no hash: ${run}`);
  }
  if (froms.length !== 2) found.push('is not made of one stage that builds and one that runs');
  if (!/^[1-9]\d*:[1-9]\d*$/.test(argument(last('USER').at(-1))))
    found.push('does not run as a number');
  const copies = last('COPY').map(String);
  if (copies.join() !== 'COPY --from=build /app ./')
    found.push('copies more than what was deployed');
  const exposed = last('EXPOSE').flatMap((one) => argument(one).split(/\s+/).map(Number));
  if (exposed.join() !== ports.join()) found.push(`exposes ${exposed}, listens on ${ports}`);
  const entry = words(last('ENTRYPOINT')[0] as JSONInstruction | undefined);
  if (entry?.[0] !== '/usr/bin/tini') found.push('nothing reaps what process 1 inherits');
  const command = words(last('CMD')[0]);
  if (!command || !isCommand(command, service)) found.push('its command is not built here');
  found.push(...probeFindings(words(last('HEALTHCHECK')[0]), ports));
  for (const env of file.getENVs().filter((one) => one.getRange().start.line > start)) {
    for (const property of env.getProperties()) {
      const name = property.getName();
      if (![...known, ...SURROUNDINGS].includes(name))
        found.push(`sets ${name}, which nothing reads`);
      if (/SECRET|PASSWORD|TOKEN|_KEY/.test(name)) found.push(`holds ${name}`);
    }
  }
  const environment = last('ENV').map(argument).join(' ');
  for (const setting of MEMORY) {
    if (!environment.includes(setting)) found.push(`does not set ${setting}`);
  }
  const labels = last('LABEL').map(argument).join(' ');
  for (const name of ['title', 'description', 'version', 'revision', 'created', 'source']) {
    if (!labels.includes(`org.opencontainers.image.${name}=`)) found.push(`has no label ${name}`);
  }
  if (/npmrc|registry|_auth|https?:\/\/(?!127\.0\.0\.1)/i.test(text))
    found.push('names a registry or a host');
  for (const one of at('COPY').filter((copy) => !String(copy).includes('--from='))) {
    for (const source of argument(one).split(/\s+/).slice(0, -1)) {
      if (!existsSync(join(ROOT, source))) found.push(`copies ${source}, which is not there`);
    }
  }
  return found;
}
