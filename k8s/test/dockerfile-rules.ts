import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Dockerfile,
  DockerfileParser,
  type From,
  type Instruction,
  type JSONInstruction,
  type Property,
} from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { ROOT } from './manifest';
import { isCommand } from './process-rules';

const SURROUNDINGS = ['NODE_ENV', 'HOME', 'PRISMA_ROOT', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX'];

const MEMORY = ['NODE_OPTIONS=--max-semi-space-size=16', 'MALLOC_ARENA_MAX=2'];

const BASE = /^BASE_IMAGE=node:24\.\d+\.\d+-[a-z]+-slim@sha256:[0-9a-f]{64}$/;

export interface Expected {
  service: 'orchestration' | 'metrics';
  target?: 'runner';
  ports: number[];
  known: readonly string[];
}

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

function stagesOf(file: Dockerfile, target: string | undefined): From[] {
  const froms = file.getFROMs();
  const find = (name: string | null | undefined) =>
    froms.find((one) => one.getBuildStage() === name);
  const chain: From[] = [];
  for (let at = target ? find(target) : froms.at(-1); at; at = find(at.getImage()))
    chain.unshift(at);
  return chain;
}

function copyFindings(copies: string[]): string[] {
  const known = [
    'COPY --from=build /app ./',
    'COPY --from=build /runner ./',
    'COPY --from=build /demo /demo',
    'COPY --from=build /cli /usr/local/lib/switchyard',
    'COPY --from=coding-agents /coding-agents /usr/local/lib/coding-agents',
  ];
  const isMore = copies.some((one) => !known.includes(one));
  const isLast = known.slice(0, 2).includes(copies.at(-1) ?? '');
  return [
    ...(isMore ? ['copies more than what was deployed'] : []),
    ...(isLast ? [] : ['copies the application before what changes less often']),
  ];
}

function baseFindings(file: Dockerfile): string[] {
  const stages = file.getFROMs().map((from) => from.getBuildStage());
  const foreign = file
    .getFROMs()
    .map((from) => from.getImage())
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the Dockerfile
    .filter((image) => image !== '${BASE_IMAGE}' && !stages.includes(image));
  const base = file.getInitialARGs().map((one) => one.getArgumentsContent() ?? '')[0] ?? '';
  return [
    ...foreign.map((image) => `${image} can't be replaced`),
    ...(BASE.test(base) ? [] : [`${base}: is not one image of a Node that is maintained`]),
  ];
}

function variableFindings(properties: Property[], known: readonly string[]): string[] {
  const found = properties.flatMap((property) => {
    const name = property.getName();
    return [
      ...([...known, ...SURROUNDINGS].includes(name) ? [] : [`sets ${name}, which nothing reads`]),
      ...(/SECRET|PASSWORD|TOKEN|_KEY/.test(name) ? [`holds ${name}`] : []),
    ];
  });
  const set = properties.map((one) => `${one.getName()}=${one.getValue()}`);
  const missing = MEMORY.filter((setting) => !set.includes(setting));
  return [...found, ...missing.map((setting) => `does not set ${setting}`)];
}

export function dockerfileFindings(
  text: string,
  { service, target, ports, known }: Expected,
): string[] {
  const found = validate(text).map(({ message }) => String(message));
  const file = DockerfileParser.parse(text) as Dockerfile;
  const all = file.getInstructions();
  const froms = file.getFROMs();
  const at = (keyword: string) => all.filter((one) => one.getKeyword() === keyword);
  const stages = stagesOf(file, target);
  const lineOf = (one: Instruction) => one.getRange().start.line;
  const isOf = (one: Instruction) =>
    stages.includes(froms.filter((from) => lineOf(from) <= lineOf(one)).at(-1) as From);
  const own = (keyword: string) => at(keyword).filter(isOf);
  const argument = (one: Instruction | undefined) => one?.getArgumentsContent() ?? '';

  found.push(...baseFindings(file));
  for (const run of at('RUN').map(argument)) {
    if (/\b(npx|npm|corepack|yarn)\b/.test(run)) found.push(`checks no hash: ${run}`);
  }
  if (!/^[1-9]\d*:[1-9]\d*$/.test(argument(own('USER').at(-1))))
    found.push('does not run as a number');
  found.push(...copyFindings(own('COPY').map(String)));
  const exposed = own('EXPOSE').flatMap((one) => argument(one).split(/\s+/).map(Number));
  if (exposed.join() !== ports.join()) found.push(`exposes ${exposed}, listens on ${ports}`);
  const entry = words(own('ENTRYPOINT').at(-1) as JSONInstruction | undefined);
  if (entry?.[0] !== '/usr/bin/tini') found.push('nothing reaps what process 1 inherits');
  const command = words(own('CMD').at(-1));
  if (!command || !isCommand(command, target ?? service))
    found.push('its command is not built here');
  found.push(...probeFindings(words(own('HEALTHCHECK').at(-1)), ports));
  const properties = file
    .getENVs()
    .filter(isOf)
    .flatMap((one) => one.getProperties());
  found.push(...variableFindings(properties, known));
  const labels = own('LABEL').map(argument).join(' ');
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
